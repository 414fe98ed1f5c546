"""Packages of reading tasks, as files that this process makes once and keeps for a while.

What is handed out is always made of the public package of a task, which has no gold of hidden
splits. The whole package serves scoring alone.
"""

from __future__ import annotations

import functools
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from readmark.core.errors import DataError
from readmark.server.answer_pool import GOLD, TASK
from readmark.server.database import Database
from readmark.server.reading_tasks.catalogue import ServedTask, bundled_names
from readmark.server.shipped import bundled_test
from readmark.server.tables import ProjectFile, StoredReadingTask
from readmark.tasks import TaskPackage

MOST_FILES = 16
"""Packages that a process keeps on disk."""


def whole_package(database: Database, task: ServedTask) -> TaskPackage:
    """The task that a task is a part of, with its newest gold, hidden splits included."""
    return TaskPackage(_whole(database, task)[1])


def public_package(database: Database, task: ServedTask) -> TaskPackage:
    """The package that may be handed out: without gold of hidden splits, judges and systems."""
    key, whole = _whole(database, task)

    def write(path: Path) -> None:
        TaskPackage(whole).write_public(path, task.selection)

    return TaskPackage(_files().get((*key, task.selection), write))


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


def forget_packages() -> None:
    """Remove the packages that this process keeps as files: gold in them may have been erased."""
    if _files.cache_info().currsize:
        _files().forget()


class _Files:
    """Files that were made once, by what they were made of; those that were used last are kept."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="readmark-tasks-")
        self._paths: OrderedDict[Hashable, Path] = OrderedDict()
        self._lock = threading.Lock()
        self._count = 0

    def get(self, key: Hashable, make: Callable[[Path], object]) -> Path:
        """The file of a key, which ``make`` writes if there is none yet."""
        with self._lock:
            if (path := self._paths.get(key)) is not None:
                self._paths.move_to_end(key)
                return path
            self._count += 1
            path = Path(self._folder.name) / str(self._count) / "task.zip"
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


def _whole(database: Database, task: ServedTask) -> tuple[tuple[Hashable, ...], Path]:
    """The file of the whole task, with the key that it is kept by.

    A project's key has the number of its newest file: new gold is a new package.
    """
    if task.root in bundled_names():
        bundled = ("bundled", task.root)
        return bundled, _files().get(bundled, lambda path: _write_bundled(task.root, path))
    with database.reading() as session:
        key: tuple[Hashable, ...] = (database.engine.url, task.root)
        column: Any = StoredReadingTask.content
        query = select(column).where(StoredReadingTask.id == task.root)
        if task.project_id is not None:
            number = session.scalar(
                select(func.max(ProjectFile.number)).where(
                    ProjectFile.project_id == task.project_id, ProjectFile.role.in_((TASK, GOLD))
                )
            )
            key = (database.engine.url, task.project_id, number)
            column = ProjectFile.content
            query = select(column).where(ProjectFile.number == number)

        def write(path: Path) -> None:
            content = session.scalar(query)
            if content is None:
                raise DataError("the task is gone")
            path.write_bytes(content)

        return key, _files().get(key, write)


def _write_bundled(id: str, path: Path) -> None:
    with bundled_test(f"{id}.zip") as bundled:
        path.write_bytes(bundled.read_bytes())
