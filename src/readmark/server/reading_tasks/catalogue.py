"""The reading tasks of a hall: those that ship, those of projects, and a person's own."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.access import HallRole
from readmark.server.shipped import bundled_test, bundled_tests
from readmark.server.tables import Membership, Person, StoredReadingTask
from readmark.tasks import WHOLE, TaskPackage, TaskSelection

TaskSort = Literal["bundled", "project", "uploaded", "generated"]
"""Where a task comes from."""


@dataclass(frozen=True)
class ServedTask:
    """A reading task that somebody may see."""

    id: str
    name: str
    sort: TaskSort
    root: str
    """The task that it is a part of, or itself."""
    selection: TaskSelection = WHOLE
    project_id: str | None = None
    """The judging project of the root, whose pool submissions feed."""
    is_own: bool = False
    may_organise: bool = False
    """Whether the person may draw parts with hidden documents."""
    feeds_pool: bool = False
    created: float | None = None


def bundled_names() -> list[str]:
    """The tasks that come with Readmark."""
    return [name.removesuffix(".zip") for name in bundled_tests() if name.endswith(".zip")]


def served_tasks(session: Session, person: Person) -> list[ServedTask]:
    """What a person sees: tasks that ship, those of projects, and their own."""
    rows = session.scalars(
        select(StoredReadingTask)
        .where(
            (StoredReadingTask.project_id.is_not(None)) | (StoredReadingTask.person_id == person.id)
        )
        .order_by(StoredReadingTask.created, StoredReadingTask.id)
    ).all()
    stored = (_served(session, person, row) for row in rows)
    return [
        *(_bundled(name) for name in bundled_names()),
        *(task for task in stored if task is not None),
    ]


def served_task(session: Session, person: Person, id: str) -> ServedTask | None:
    """The task of an id, if the person may see it."""
    if id in bundled_names():
        return _bundled(id)
    row = session.get(StoredReadingTask, id)
    return None if row is None else _served(session, person, row)


def task_of_project(session: Session, project_id: str) -> StoredReadingTask | None:
    """The task that a project offers to programs, if it does."""
    return session.scalar(
        select(StoredReadingTask).where(StoredReadingTask.project_id == project_id)
    )


def _bundled(id: str) -> ServedTask:
    return ServedTask(id, _bundled_title(id), "bundled", id)


@functools.cache
def _bundled_title(id: str) -> str:
    with bundled_test(f"{id}.zip") as path:
        return TaskPackage(path).name


def _served(session: Session, person: Person, row: StoredReadingTask) -> ServedTask | None:
    is_own = row.person_id == person.id
    if row.project_id is None and not is_own:
        return None
    root = row
    sort: TaskSort = "project" if row.project_id is not None else "uploaded"
    if row.source:
        sort = "generated"
        if row.source not in bundled_names():
            source = session.get(StoredReadingTask, row.source)
            # A part of a task is seen for as long as its person sees the task.
            if source is None or (source.project_id is None and source.person_id != person.id):
                return None
            root = source
    organises = root.project_id is not None and organises_project(session, person, root.project_id)
    return ServedTask(
        id=row.id,
        name=row.name,
        sort=sort,
        root=row.source or row.id,
        selection=msgspec.json.decode(row.selection, type=TaskSelection),
        project_id=root.project_id,
        is_own=is_own,
        may_organise=organises or (sort != "project" and not root.source and is_own),
        feeds_pool=root.feeds_pool,
        created=row.created,
    )


def organises_project(session: Session, person: Person, project_id: str) -> bool:
    """Whether a person organises a project; owners organise all."""
    key = {"project_id": project_id, "person_id": person.id, "role": str(HallRole.ORGANISER)}
    return person.is_owner or session.get(Membership, key) is not None
