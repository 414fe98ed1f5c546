"""One submission to a shared task: its marks and files, withdrawing it, marking it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.server.access import Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.routes.files import attachment
from readmark.server.shared_tasks.access import (
    OrganiserOfTask,
    TaskPermitted,
    TeamOrOrganiser,
    Visitor,
)
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.submission_state import (
    SubmissionState,
    state_of,
    submissions_of,
)
from readmark.server.shared_tasks.submissions import (
    ANSWERS,
    MARKED,
    MARKSHEET,
    WAITING,
    file_content,
    mark_again,
    withdraw,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Submission

pages = APIRouter(
    route_class=HallRoute, prefix="/tasks/{task}/submissions/{submission}", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/tasks/{task}/submissions/{submission}", tags=["tasks"]
)

NO_SPLIT = "-"
"""In an address: the records without a split."""


@dataclass(frozen=True, kw_only=True)
class SubmissionPage:
    """A submission, and what its team and organisers can do with it."""

    state: SubmissionState
    signatures: Mapping[str, str]
    """Of the metrics that any split was marked by."""
    sheets: Sequence[str]
    """The splits whose marksheets can be downloaded."""
    is_own: bool
    """Whether the visitor is of its team, or organises the task."""

    @property
    def metrics(self) -> list[str]:
        """The columns of the tables."""
        return list(self.signatures)

    @property
    def is_waiting(self) -> bool:
        """Whether the page will change by itself."""
        return self.is_own and self.state.is_waiting


@pages.get("")
def show_submission(
    request: Request, session: Reading, permitted: Visitor, submission: str
) -> Response:
    """What anybody may see of a submission that was marked; more for its team."""
    query = submissions_of(permitted.project).where(Submission.id == submission)
    unseen = HTTPException(401 if permitted.person is None else 404, "Not found.")
    row = session.execute(query).one_or_none()
    if row is None:
        raise unseen
    stored, team_name = row
    is_of_team = permitted.team is not None and stored.team_id == permitted.team.id
    is_own = is_of_team or permitted.is_organiser
    # On the board, or taken off it for as long as it is marked again.
    is_public = stored.marked is not None and stored.state in (MARKED, WAITING)
    if not (is_own or is_public):
        raise unseen
    state = state_of(session, permitted.project, permitted.options, stored, team_name)
    hidden = permitted.options.hidden_splits(kept_about(session, permitted.project.id))
    view = SubmissionPage(
        state=state,
        signatures={
            name: mark["signature"]
            for part in state.splits.values()
            for name, mark in (part["marks"] or {}).items()
        },
        sheets=[split for split in state.splits if split not in hidden],
        is_own=is_own,
    )
    template = "task_submission.html"
    return show_task_page(request, permitted, "submission", template, view=view)


@api.get("")
def get_submission(
    session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """A submission, its state, and the marks that are shown."""
    stored, team = _caller_submission(session, permitted, submission)
    return state_of(session, permitted.project, permitted.options, stored, team)


def _caller_submission(
    session: Session, permitted: TaskPermitted, id: str
) -> tuple[Submission, str]:
    """A submission of the caller's team, or any of the task for those who run it; and the team."""
    team = None if permitted.is_organiser else permitted.team
    query = submissions_of(permitted.project, team).where(Submission.id == id)
    row = session.execute(query).one_or_none()
    if row is None or (team is None and not permitted.is_organiser):
        raise HTTPException(404, "Not found.")
    return row[0], row[1]


class SubmissionChange(Protocol):
    """A function that changes a submission: `withdraw`, `mark_again`."""

    def __call__(self, session: Session, submission: Submission, *, by: str) -> None:
        """Change it in the name of a person."""


@pages.post("/withdraw")
def withdraw_own(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> Response:
    """Take a submission off the board."""
    _change(request, session, permitted, submission, withdraw)
    return RedirectResponse(f"/tasks/{permitted.project.slug}/submissions/{submission}", 303)


@api.delete("")
def withdraw_submission(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """Take a submission off the board. It stays stored, and counts against the limits."""
    _change(request, session, permitted, submission, withdraw)
    return get_submission(session, permitted, submission)


@api.post("/mark")
def mark_submission_again(
    request: Request, session: Reading, permitted: OrganiserOfTask, submission: str
) -> SubmissionState:
    """Mark a submission once more."""
    _change(request, session, permitted, submission, mark_again)
    return get_submission(session, permitted, submission)


def _change(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    id: str,
    change: SubmissionChange,
) -> None:
    """Change a submission that the caller may change."""
    submission, _ = _caller_submission(session, permitted, id)
    session.commit()  # gives the connection back before the writer takes one
    assert permitted.person is not None
    with hall_of(request).database.writing() as writing:
        change(writing, submission, by=permitted.person.id)
    session.expire_all()


@api.get("/answers")
def get_answers(session: Reading, permitted: TeamOrOrganiser, submission: str) -> Response:
    """The answers as they were sent."""
    stored, _ = _caller_submission(session, permitted, submission)
    content = file_content(session, stored.id, ANSWERS)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, stored.file_name)


@api.get("/marksheets/{split}")
def get_marksheet(
    session: Reading, permitted: TeamOrOrganiser, submission: str, split: str
) -> Response:
    """The marksheet of a public split, without the key (zstd); ``-`` is what has no split."""
    stored, _ = _caller_submission(session, permitted, submission)
    name = _public_split(session, permitted, split)
    content = None if name is None else file_content(session, stored.id, MARKSHEET, name)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, f"{stored.number}-{split}.jsonl.zst")


def _public_split(session: Session, permitted: TaskPermitted, name: str) -> str | None:
    """A split by its name in an address; None if it is hidden or unknown."""
    about = kept_about(session, permitted.project.id)
    hidden = permitted.options.hidden_splits(about)
    public = [split for split in about["all_splits"] if split not in hidden]
    if name in public:
        return name
    return "" if name == NO_SPLIT and "" in public else None
