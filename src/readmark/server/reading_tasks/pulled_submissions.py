"""Submissions that are pulled into the pool of a project: their answers are to be judged there."""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, undefer

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.database import Database
from readmark.server.pooled_sittings import add_sitting
from readmark.server.reading_tasks.catalogue import task_of_project
from readmark.server.tables import Project, ReadingTaskSubmission
from readmark.server.uploads import uploaded


@dataclass(frozen=True)
class PulledSubmission:
    """What became of a submission in the pool: the sitting and its new answers, or why none."""

    submission: str
    candidate: str
    sitting: str = ""
    answers: int = 0
    items: int = 0
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """Its members."""
        return asdict(self)


@dataclass(frozen=True)
class SubmissionLog:
    """The log of a project's task, for its organisers: how many entries, and how many to pull."""

    task: str | None
    feeds_pool: bool
    submissions: int
    waiting: int


def submission_log(session: Session, project_id: str) -> SubmissionLog:
    """How many submissions to a project's task there are, and how many the pool lacks."""
    task = task_of_project(session, project_id)
    if task is None:
        return SubmissionLog(None, False, 0, 0)
    entries = (
        select(func.count())
        .select_from(ReadingTaskSubmission)
        .where(ReadingTaskSubmission.root_id == task.id)
    )
    waiting = entries.where(ReadingTaskSubmission.pooled == "")
    return SubmissionLog(
        task.id, task.feeds_pool, session.scalar(entries) or 0, session.scalar(waiting) or 0
    )


def pull_submissions(
    database: Database, project: Project, *, by: str | None = None
) -> list[PulledSubmission]:
    """Add every submission that the pool lacks to a project's sittings, in the order of the log."""
    with database.reading() as session:
        task = task_of_project(session, project.id)
        if task is None:
            raise UsageError("the project does not offer its task to programs yet")
        rows = session.scalars(
            select(ReadingTaskSubmission)
            .where(ReadingTaskSubmission.root_id == task.id, ReadingTaskSubmission.pooled == "")
            .order_by(ReadingTaskSubmission.created, ReadingTaskSubmission.id)
            .options(undefer(ReadingTaskSubmission.content))
        ).all()
    return [pull(database, project, row, by=by, keeps_problem=True) for row in rows]


def pull(
    database: Database,
    project: Project,
    row: ReadingTaskSubmission,
    *,
    by: str | None,
    keeps_problem: bool,
) -> PulledSubmission:
    """Add a submission to a project's sittings.

    If nothing of it can be judged, ``keeps_problem`` notes that in the log, and it is not tried
    again; if the project is closed or full, it stays to be pulled.
    """
    try:
        with uploaded(io.BytesIO(row.content), f"submission-{row.id}.jsonl") as path:
            added = add_sitting(database, project, path, by=by)
    except DataError as error:
        pulled = PulledSubmission(row.id, row.candidate, problem=str(error))
    except ReadmarkError as error:  # the project is closed or full
        return PulledSubmission(row.id, row.candidate, problem=str(error))
    else:
        pulled = PulledSubmission(row.id, row.candidate, added.name, added.answers, added.items)
    if pulled.sitting or keeps_problem:
        with database.writing() as session:
            stored = session.get(ReadingTaskSubmission, row.id)
            if stored is not None:
                stored.pooled = (pulled.sitting or pulled.problem)[:200]
    return pulled
