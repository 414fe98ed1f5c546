"""A submission as it is shown: what was sent, what became of it, and its released marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from readmark.server.boards.board import released_marks
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.shared_tasks.submissions import MARKED, WAITING
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project, Submission, Team

SUBMISSION_COLUMNS = (
    "number",
    "system",
    "description",
    "is_ensemble",
    "origin",
    "phase",
    "state",
    "error",
    "file_name",
    "sha256",
    "size",
    "received",
    "marked",
)
"""What is told of a submission as it is stored: on its page, in the API and in exports."""
_SHOWN_OF_SPLIT = ("units", "answered", "is_hidden", "marks", "by", "reason", "withheld")


@dataclass(frozen=True)
class SubmissionState:
    """A submission, and what may be shown of its marks."""

    submission: str
    number: int
    task: str
    team: str
    system: str
    description: str
    is_ensemble: bool
    origin: str
    phase: str
    state: str
    error: str
    file_name: str
    sha256: str
    size: int
    received: float
    marked: float | None
    address: str
    """The path of its page."""
    splits: dict[str, Any]
    """By split: units, answers, marks, and why there are none."""

    @property
    def is_waiting(self) -> bool:
        """Whether something will change by itself: marks come with the next board."""
        return self.state == WAITING or (self.state == MARKED and not self.splits)


def state_of(
    session: Session,
    project: Project,
    options: SharedTaskOptions,
    submission: Submission,
    team: str | None,
) -> SubmissionState:
    """A submission as its team sees it: marks come from the board, which has nothing hidden."""
    hidden = options.hidden_splits(kept_about(session, project.id))
    released = released_marks(session, submission) if submission.marked is not None else {}
    splits = {
        split: {
            "is_hidden": split in hidden,
            **{name: part[name] for name in _SHOWN_OF_SPLIT if name in part},
        }
        for split, part in released.items()
    }
    return SubmissionState(
        submission=submission.id,
        task=project.slug,
        team=team or "",
        address=f"/tasks/{project.slug}/submissions/{submission.id}",
        splits=splits,
        **{name: getattr(submission, name) for name in SUBMISSION_COLUMNS},
    )


def submissions_of(project: Project, team: Team | None = None) -> Select[Submission, str]:
    """Selects the submissions of a task, or of one of its teams, the newest first, with teams."""
    query = (
        select(Submission, Team.name)
        .join(Team, Team.id == Submission.team_id, isouter=True)
        .where(Submission.project_id == project.id)
        .order_by(Submission.number.desc())
    )
    return query if team is None else query.where(Submission.team_id == team.id)
