"""Reading tasks that people keep in the hall, and those that projects offer to programs."""

from __future__ import annotations

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.server.audit import AuditAction, record
from readmark.server.reading_tasks.catalogue import ServedTask, task_of_project
from readmark.server.tables import Person, Project, StoredReadingTask
from readmark.tasks import WHOLE, TaskSelection

MOST_TASKS = 50
"""Tasks that a person keeps."""
LONGEST_NAME = 200


def store_task(
    session: Session,
    person: Person,
    *,
    name: str,
    source: str = "",
    selection: TaskSelection = WHOLE,
    content: bytes | None = None,
    made_of: str | None = None,
) -> StoredReadingTask:
    """Keep a part of a task, or a package, for a person.

    ``made_of`` is the project whose gold is in the package, which goes if that gold is erased.
    """
    count = session.scalar(
        select(func.count())
        .select_from(StoredReadingTask)
        .where(StoredReadingTask.person_id == person.id, StoredReadingTask.project_id.is_(None))
    )
    if (count or 0) >= MOST_TASKS:
        raise UsageError(f"you have {MOST_TASKS} tasks, which is the most: delete one first")
    row = StoredReadingTask(
        name=name.strip()[:LONGEST_NAME] or "task",
        person_id=person.id,
        source=source,
        selection=msgspec.json.encode(selection).decode(),
        content=content,
        made_of=made_of,
    )
    session.add(row)
    session.flush()
    return row


def delete_task(session: Session, task: ServedTask) -> None:
    """Remove a task of one's own; the log of submissions stays."""
    if not task.is_own or task.sort not in ("generated", "uploaded"):
        raise UsageError("only tasks that you generated or uploaded can be deleted")
    parts = session.scalar(
        select(func.count())
        .select_from(StoredReadingTask)
        .where(StoredReadingTask.source == task.id)
    )
    if parts:
        raise UsageError(f"first delete the tasks that were generated from this one ({parts})")
    row = session.get(StoredReadingTask, task.id)
    if row is not None:
        session.delete(row)


def offer_task(
    session: Session, project: Project, *, name: str, feeds_pool: bool, by: str | None
) -> StoredReadingTask:
    """Offer a judging project's task to programs, or change how it is offered."""
    row = task_of_project(session, project.id)
    if row is None:
        row = StoredReadingTask(project_id=project.id, person_id=by, name=name)
        session.add(row)
    row.name, row.feeds_pool = name.strip()[:LONGEST_NAME] or project.slug, feeds_pool
    action = AuditAction.READING_TASK_OFFERED
    record(session, action, by, project.id, name=row.name, feeds_pool=feeds_pool)
    session.flush()
    return row
