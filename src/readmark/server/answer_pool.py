"""Projects that judge answers of systems: the task that they keep, and what became of answers.

The hall keeps the files. What they mean belongs to the project's work: its hook ``pool``. Sittings
are added in `pooled_sittings` and marked in `pooled_marks`; `pooled_gold` makes gold of verdicts.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.core.errors import ReadmarkError, UsageError
from readmark.hooks import hook
from readmark.server.disputes import decided_work
from readmark.server.project_work import work_of_project
from readmark.server.tables import Project, ProjectFile
from readmark.server.views import newest_configuration, work_named
from readmark.works import AnswerPool, Configuration, PooledTask, PoolVerdicts

TASK, SITTING, GOLD = "task", "sitting", "gold"
"""The roles of a project's files: the task as it came, sittings, and the task with newer gold."""


def pool_of(configuration: Configuration) -> AnswerPool | None:
    """How a project's answers of systems are judged; None where the work has no pool."""
    pool: AnswerPool | None = hook(work_named(configuration.project.work), "pool")
    return pool


def required_pool(configuration: Configuration) -> AnswerPool:
    """How a project's answers of systems are judged, or an error."""
    pool = pool_of(configuration)
    if pool is None:
        raise UsageError("only projects that judge answers of systems have sittings")
    return pool


def newest_task(session: Session, project_id: str) -> ProjectFile:
    """The project's task with the newest version of its gold."""
    task = session.scalar(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role.in_((TASK, GOLD)))
        .order_by(ProjectFile.number.desc())
        .limit(1)
        .options(undefer(ProjectFile.content))
    )
    if task is None:
        raise UsageError("the project has no task that sittings could be pooled for")
    return task


def splits_of(task: ProjectFile) -> tuple[str, ...]:
    """The splits of the task whose answers are judged; empty where it has none."""
    return tuple(json.loads(task.about).get("splits") or ())


@contextmanager
def unpacked(content: bytes, splits: tuple[str, ...]) -> Iterator[PooledTask]:
    """A task in a folder of its own; errors do not name the folder."""
    with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
        path = Path(folder) / "task.zip"
        path.write_bytes(content)
        try:
            yield PooledTask(path, splits)
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


def judged_answers(session: Session, project: Project) -> PoolVerdicts:
    """What has become of the pooled answers: judges' verdicts, and adjudicators' decisions."""
    pool = required_pool(newest_configuration(session, project.id))
    return pool.judged(work_of_project(session, project.id), decided_work(session, project))
