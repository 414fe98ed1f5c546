"""The reading tasks of a hall: which there are, who sees them, and their packages as files.

What is handed out is always made of the public package of a task, which has no gold of hidden
splits. The whole package serves scoring alone.
"""

from __future__ import annotations

import functools
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, UsageError
from readmark.server.access import HallRole
from readmark.server.answer_pool import GOLD, TASK
from readmark.server.audit import AuditAction, record
from readmark.server.database import Database
from readmark.server.shipped import bundled_test, bundled_tests
from readmark.server.tables import Membership, Person, Project, ProjectFile, StoredReadingTask
from readmark.tasks import WHOLE, TaskPackage, TaskSelection

MOST_TASKS = 50
"""Tasks that a person keeps."""
MOST_FILES = 16
"""Packages that a process keeps on disk."""


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


# Which tasks there are, and who sees them.


def bundled_names() -> list[str]:
    """The tasks that come with Readmark."""
    names = (name.removesuffix(".zip") for name in bundled_tests() if name.endswith(".zip"))
    return list(names)


def served_tasks(session: Session, person: Person) -> list[ServedTask]:
    """What a person sees: tasks that ship, those of projects, and their own."""
    own = session.scalars(
        select(StoredReadingTask)
        .where(
            (StoredReadingTask.project_id.is_not(None)) | (StoredReadingTask.person_id == person.id)
        )
        .order_by(StoredReadingTask.created, StoredReadingTask.id)
    ).all()
    tasks = [_bundled(name) for name in bundled_names()]
    found = (_served(session, person, row) for row in own)
    return [*tasks, *(task for task in found if task is not None)]


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


# Packages as files of this process.


class _Files:
    """Files that were made once, by what they were made of; the newest few are kept."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="readmark-tasks-")
        self._paths: OrderedDict[Hashable, Path] = OrderedDict()
        self._lock = threading.Lock()
        self._made = 0

    def get(self, key: Hashable, make: Callable[[Path], object]) -> Path:
        with self._lock:
            if (path := self._paths.get(key)) is not None:
                self._paths.move_to_end(key)
                return path
            self._made += 1
            path = Path(self._folder.name) / str(self._made) / "task.zip"
        path.parent.mkdir()
        make(path)  # two requests may both make it: the second takes the place of the first
        with self._lock:
            self._paths[key] = path
            while len(self._paths) > MOST_FILES:
                self._paths.popitem(last=False)[1].unlink(missing_ok=True)
        return path

    def forget(self) -> None:
        """Remove every file."""
        with self._lock:
            for path in self._paths.values():
                path.unlink(missing_ok=True)
            self._paths.clear()


@functools.cache
def _files() -> _Files:
    return _Files()


def forget_packages() -> None:
    """Remove the packages that this process keeps as files: gold in them may have been erased."""
    if _files.cache_info().currsize:
        _files().forget()


def whole_package(database: Database, task: ServedTask) -> TaskPackage:
    """The task that a task is a part of, with its newest gold, hidden splits included."""
    return TaskPackage(_whole(database, task)[1])


def _whole(database: Database, task: ServedTask) -> tuple[tuple[Hashable, ...], Path]:
    if task.root in bundled_names():
        key: tuple[Hashable, ...] = ("bundled", task.root)
        return key, _files().get(key, lambda path: path.write_bytes(_bundled_content(task.root)))
    column: Any = StoredReadingTask.content
    with database.reading() as session:
        query = select(column).where(StoredReadingTask.id == task.root)
        if task.project_id is None:
            key = (database.engine.url, task.root)
        else:
            column = ProjectFile.content
            number = session.scalar(
                select(func.max(ProjectFile.number)).where(
                    ProjectFile.project_id == task.project_id, ProjectFile.role.in_((TASK, GOLD))
                )
            )
            key = (database.engine.url, task.project_id, number)
            query = select(column).where(ProjectFile.number == number)

        def write(path: Path) -> None:
            content = session.scalar(query)
            if content is None:
                raise DataError("the task is gone")
            path.write_bytes(content)

        return key, _files().get(key, write)


def _bundled_content(id: str) -> bytes:
    with bundled_test(f"{id}.zip") as path:
        return path.read_bytes()


def public_package(database: Database, task: ServedTask) -> TaskPackage:
    """The package that may be handed out: without gold of hidden splits, judges and systems."""
    key, whole = _whole(database, task)

    def write(path: Path) -> None:
        TaskPackage(whole).write_public(path, task.selection)

    return TaskPackage(_files().get((*key, task.selection), write))


# Keeping and removing tasks.


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
    """Keep a part of a task, or a package, for a person; one may be made of a project's gold."""
    count = session.scalar(
        select(func.count())
        .select_from(StoredReadingTask)
        .where(StoredReadingTask.person_id == person.id, StoredReadingTask.project_id.is_(None))
    )
    if (count or 0) >= MOST_TASKS:
        raise UsageError(f"you have {MOST_TASKS} tasks, which is the most: delete one first")
    row = StoredReadingTask(
        name=name.strip()[:200] or "task",
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
        raise UsageError(f"{parts} tasks were generated from it: delete them first")
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
    row.name, row.feeds_pool = name.strip()[:200] or project.slug, feeds_pool
    action = AuditAction.READING_TASK_OFFERED
    record(session, action, by, project.id, name=row.name, feeds_pool=feeds_pool)
    session.flush()
    return row


def about_task(database: Database, task: ServedTask) -> dict[str, Any]:
    """What a task says of itself: documents and units by split, queries, licence, gold version."""
    facts, gold = whole_package(database, task).facts(task.selection)
    package = public_package(database, task)
    return {
        "id": task.id,
        "name": task.name,
        "sort": task.sort,
        "root": task.root,
        **package.about(),
        "paper": facts.paper,
        "gold": gold,
        "splits": [
            {
                "name": name,
                "documents": split.records,
                "units": split.units,
                "paper": split.paper,
                "is_hidden": name in package.hidden,
            }
            for name, split in facts.splits.items()
        ],
        "is_own": task.is_own,
        "created": task.created,
    }
