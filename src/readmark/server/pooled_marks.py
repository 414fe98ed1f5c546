"""Marks of a project's sittings by the newest gold, which are computed once and then kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.server.answer_pool import SITTING, newest_task, required_pool, splits_of, unpacked
from readmark.server.tables import ProjectFile
from readmark.server.views import newest_configuration
from readmark.works import AnswerPool, PooledMarks, PooledTask, PoolVerdicts


@dataclass(frozen=True)
class MarkedSitting:
    """A sitting with its marks by the newest gold, or why it has none."""

    name: str
    created: float
    unjudged: int
    """Answers that neither the gold nor a settled verdict decides on."""
    marks: Mapping[str, Any]
    """What ``mark --json`` has under ``marks``: score, interval and signature by metric."""
    problem: str = ""


_CACHE: OrderedDict[tuple[str, int, int], tuple[PooledMarks | None, str]] = OrderedDict()
"""The marks of sittings, or what is wrong with one, by project, task and sitting."""
_MOST_CACHED = 256
_LOCK = threading.Lock()


def marked_sittings(session: Session, project_id: str, judged: PoolVerdicts) -> list[MarkedSitting]:
    """Every sitting of a project, marked by the library against the newest gold.

    What is settled in ``judged`` is not unjudged, though no version of the gold has it yet.
    """
    pool = required_pool(newest_configuration(session, project_id))
    task = newest_task(session, project_id)
    files = session.scalars(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == SITTING)
        .order_by(ProjectFile.number)
    ).all()
    with _LOCK:
        results = {
            file.number: _CACHE.get((project_id, task.number, file.number)) for file in files
        }
    if None in results.values():
        # Marking takes long, so it is done without the lock; two who ask at once both mark.
        with unpacked(task.content, splits_of(task)) as unpacked_task:
            for file in files:
                if results[file.number] is None:
                    results[file.number] = _mark(pool, unpacked_task, file)
    sittings = []
    with _LOCK:
        for file in files:
            result = results[file.number]
            assert result is not None
            _CACHE[project_id, task.number, file.number] = result
            marks, problem = result
            sittings.append(
                MarkedSitting(
                    name=file.name,
                    created=file.created,
                    unjudged=0 if marks is None else len(marks.unjudged - judged.settled.keys()),
                    marks={} if marks is None else marks.marks,
                    problem=problem,
                )
            )
        while len(_CACHE) > _MOST_CACHED:
            _CACHE.popitem(last=False)
    return sittings


def _mark(
    pool: AnswerPool, task: PooledTask, sitting: ProjectFile
) -> tuple[PooledMarks | None, str]:
    """The marks of a sitting, or what is wrong with it."""
    path = task.path.with_name(sitting.name)
    path.write_bytes(sitting.content)
    try:
        return pool.mark(task, path), ""
    except ReadmarkError as error:
        return None, str(error).replace(f"{path.parent}/", "")
