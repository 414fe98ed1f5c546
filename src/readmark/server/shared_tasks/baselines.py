"""Baselines: Readmark's own candidates sit a shared task, each when an organiser asks for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError, did_you_mean
from readmark.server.audit import AuditAction, record
from readmark.server.baselines import baselines_for
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.submissions import (
    FAILED,
    WAITING,
    WITHDRAWN,
    next_number,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project, Submission
from readmark.sitting import CANDIDATES

BASELINE = "baseline"
"""The origin of submissions by Readmark's own candidates."""


@dataclass(frozen=True)
class BaselineState:
    """A candidate that can sit the task, and what became of it; no state if nobody has asked."""

    candidate: str
    about: str
    state: str | None = None
    error: str = ""
    submission: str | None = None
    number: int | None = None


def baselines_of(session: Session, project_id: str) -> list[BaselineState]:
    """Every candidate that can sit a task, and what became of those that were asked."""
    sat = {
        submission.system: submission
        for submission in session.scalars(
            select(Submission)
            .where(Submission.project_id == project_id, Submission.origin == BASELINE)
            .order_by(Submission.number)
        )
    }
    return [_state(name, sat.get(name)) for name in baselines_for(kept_about(session, project_id))]


def _state(candidate: str, submission: Submission | None) -> BaselineState:
    about = CANDIDATES.entry(candidate).summary
    if submission is None:
        return BaselineState(candidate, about)
    return BaselineState(
        candidate,
        about,
        submission.state,
        submission.error,
        submission.id,
        submission.number,
    )


def ask_baseline(
    session: Session, project: Project, candidate: str, *, by: str | None = None
) -> BaselineState:
    """Let a candidate sit the task; one that has sat, or is sitting, does not sit again.

    Baselines have no team, count against no limit, and sit every split.
    """
    names = baselines_for(kept_about(session, project.id))
    if candidate not in names:
        hint = did_you_mean(candidate[:80], names)
        raise UsageError(f"{candidate[:80]!r} is not a baseline of this task; {hint}")
    # Locked, so that of two requests at once the second sees the submission of the first.
    session.get(Project, project.id, with_for_update=True)
    submission = session.scalar(
        select(Submission)
        .where(
            Submission.project_id == project.id,
            Submission.origin == BASELINE,
            Submission.system == candidate,
        )
        .order_by(Submission.number.desc())
        .limit(1)
    )
    if submission is None:
        submission = Submission(
            project_id=project.id,
            number=next_number(session, project.id),
            person_id=by,
            origin=BASELINE,
            system=candidate,
            description=CANDIDATES.entry(candidate).summary,
            phase="formal",
            state=FAILED,  # as one that is to sit again
            file_name=f"{candidate}.jsonl",
        )
        session.add(submission)
        session.flush()
    if submission.state in (FAILED, WITHDRAWN):
        submission.state, submission.error, submission.received = WAITING, "", time.time()
        add_job(session, "sit", submission.id)
        record(session, AuditAction.SUBMITTED, by, project.id, submission=submission.id)
    return _state(candidate, submission)
