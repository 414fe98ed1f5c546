"""A shared task with its test as a file: what a process needs that marks or sits it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.server.shared_tasks.options import SharedTaskOptions, options_of
from readmark.server.tables import ProjectFile
from readmark.server.views import newest_configuration


@dataclass(frozen=True)
class OpenedTask:
    """A shared task, and its test as a file."""

    project_id: str
    options: SharedTaskOptions
    test: Path
    hidden: tuple[str, ...]
    splits: tuple[str, ...]

    def for_marker(self) -> dict[str, Any]:
        """What every function of `marker` is told of the task."""
        return {
            "test": str(self.test),
            "hidden": list(self.hidden),
            "metrics": list(self.options.metrics),
            "order_by": self.options.order_by,
            "by": None if self.options.by is None else list(self.options.by),
            "smallest_slice": self.options.smallest_slice,
        }


def open_task(session: Session, project_id: str, folder: Path) -> OpenedTask:
    """A shared task with its test in a folder; errors of a worker never name the folder."""
    file = session.scalar(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == "task")
        .options(undefer(ProjectFile.content))
    )
    assert file is not None
    path = folder / "test" / file.name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file.content)
    about = json.loads(file.about)
    options = options_of(newest_configuration(session, project_id))
    return OpenedTask(
        project_id, options, path, options.hidden_splits(about), tuple(about["all_splits"])
    )
