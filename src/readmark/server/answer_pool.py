"""Sittings of systems in a project: what nobody has judged becomes items, and verdicts gold.

The hall keeps the files. What they mean belongs to the project's work: its hook ``pool``.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.formats.people_names import is_file_name
from readmark.hooks import hook
from readmark.server.assignment import top_up
from readmark.server.audit import AuditAction, record
from readmark.server.database import Database
from readmark.server.disputes import decided_work
from readmark.server.log import last_event, work_of_project
from readmark.server.projects import ReadItems, add_items, item_rows, items_of
from readmark.server.tables import Project, ProjectFile
from readmark.server.training import TrainingResult, results_to_hand_out_by
from readmark.server.views import item_of, newest_configuration, work_named
from readmark.works import (
    AnswerPool,
    Configuration,
    NewItems,
    PooledMarks,
    PooledTask,
    PoolVerdicts,
    UnjudgedAnswers,
)

TASK, SITTING, GOLD = "task", "sitting", "gold"
NAME = "task.zip"
MOST_SITTINGS = 200
"""Sittings of a project."""
MOST_ANSWERS = 100_000
"""Answers of a sitting."""
MOST_POOLED = 5000
"""Answers of a sitting that nobody has judged: more is no work for people."""


def pool_of(configuration: Configuration) -> AnswerPool | None:
    """How a project's answers of systems are judged; None where the work has no pool."""
    pool: AnswerPool | None = hook(work_named(configuration.project.work), "pool")
    return pool


def _required_pool(configuration: Configuration) -> AnswerPool:
    pool = pool_of(configuration)
    if pool is None:
        raise UsageError("only projects that judge answers of systems have sittings")
    return pool


# The task in its versions.


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


@contextmanager
def _unpacked(content: bytes, splits: tuple[str, ...]) -> Iterator[PooledTask]:
    """A task in a folder of its own; errors do not name the folder."""
    with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        try:
            yield PooledTask(path, splits)
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


def _splits(file: ProjectFile) -> tuple[str, ...]:
    return tuple(json.loads(file.about).get("splits") or ())


# Sittings.


@dataclass(frozen=True)
class AddedSitting:
    """A sitting that was added: how many answers nobody had judged, in how many new items."""

    name: str
    answers: int
    items: int


def add_sitting(
    database: Database, project: Project, path: Path, *, by: str | None = None
) -> AddedSitting:
    """Keep a sitting of the project's task, and make items of what nobody has judged.

    A sitting of another paper, or with an answer that cannot be read, changes nothing.
    """
    with database.reading() as session:
        configuration = newest_configuration(session, project.id)
        file = newest_task(session, project.id)
        content, splits = file.content, _splits(file)
    pool = _required_pool(configuration)
    results = results_to_hand_out_by(database, project.id)
    with _unpacked(content, splits) as task:
        sitting = pool.take(task, path)
        if not 0 < sitting.answers <= MOST_ANSWERS:
            message = f"has {sitting.answers} answers, expected 1 to {MOST_ANSWERS}"
            raise DataError(message, file=path)
        if len(sitting.unjudged) > MOST_POOLED:
            message = (
                f"has {len(sitting.unjudged)} answers to judge, expected at most {MOST_POOLED}"
            )
            raise DataError(message, file=path)
        with database.writing() as session:
            locked = session.get(Project, project.id, with_for_update=True)
            if locked is None or not locked.is_open:
                raise UsageError(f"the project {project.slug!r} is closed: open it first")
            data, about = sitting.content, {"candidate": sitting.candidate[:200]}
            name = _free_name(session, project.id, sitting.candidate, path.stem, data)
            session.add(
                ProjectFile(
                    project_id=project.id,
                    role=SITTING,
                    name=name,
                    content=data,
                    about=json.dumps(about),
                    person_id=by,
                )
            )
            new = _ask(session, project, sitting.unjudged, configuration, results, by)
            detail = {"sitting": name, "answers": new.answers, "items": len(new.items)}
            record(session, AuditAction.SITTING_ADDED, by, project.id, **detail)
    return AddedSitting(name, new.answers, len(new.items))


def _ask(
    session: Session,
    project: Project,
    unjudged: UnjudgedAnswers,
    configuration: Configuration,
    results: Mapping[str, TrainingResult],
    by: str | None,
) -> NewItems:
    """Make items of what no item asks about yet, and hand them out."""
    present = [item_of(item) for item in items_of(session, project.id, "work")]
    new = unjudged.items(present, configuration)
    add_items(session, project, ReadItems((), item_rows(new.items), "work"), by=by)
    session.flush()
    top_up(session, project.id, results)
    return new


def _free_name(session: Session, project_id: str, candidate: str, stem: str, data: bytes) -> str:
    """A file name for a sitting: who sat, else the name of the upload, and a number if need be."""
    rows = session.execute(
        select(ProjectFile.name, ProjectFile.content).where(
            ProjectFile.project_id == project_id, ProjectFile.role == SITTING
        )
    ).all()
    if len(rows) >= MOST_SITTINGS:
        raise UsageError(f"the project has {MOST_SITTINGS} sittings, which is the most it may have")
    for row in rows:
        if row.content == data:
            raise DataError(f"the project has this sitting already, as {row.name}")
    base = next((name for name in (candidate, stem) if is_file_name(name)), SITTING)[:100]
    taken = {row.name.casefold() for row in rows}
    name, number = f"{base}.jsonl", 1
    while name.casefold() in taken:
        number += 1
        name = f"{base} ({number}).jsonl"
    return name


# Gold and marks.


@dataclass(frozen=True)
class HallGold:
    """A version of the task's gold that was made in the hall."""

    gold: int
    created: float
    event: int
    recorded: int
    """Judgements that are new in it."""
    explicit: int
    inferred: int
    rejected: int
    out_of_bounds: int
    dropped: int = 0
    """Right answers of the gold before that it has no more."""


def make_gold_version(
    database: Database, project: Project, *, by: str | None = None, drop: bool = False
) -> HallGold:
    """Add the settled verdicts to the gold of the project's task, as a new version of it.

    A version that would lack other right answers of that gold is a ``DroppedAnswers`` error unless
    ``drop`` allows it; what systems said of them then goes to the judges.
    """
    with database.reading() as session:
        configuration = newest_configuration(session, project.id)
        judged = judged_answers(session, project)
        event, file = last_event(session, project.id), newest_task(session, project.id)
        content, splits, before = file.content, _splits(file), file.number
    with _unpacked(content, splits) as task:
        gold = _required_pool(configuration).make_gold(task, judged, drop=drop)
    results = results_to_hand_out_by(database, project.id) if gold.dropped else {}
    counts = {"dropped": len(gold.dropped)}
    about = {"splits": splits, "gold": gold.version, "event": event, **gold.counts, **counts}
    with database.writing() as session:
        session.get(Project, project.id, with_for_update=True)
        if newest_task(session, project.id).number != before:
            raise UsageError("somebody else has just made a version: look at it first")
        stored = ProjectFile(
            project_id=project.id,
            role=GOLD,
            name=f"gold-{gold.version}.zip",
            content=gold.content,
            about=json.dumps(about),
            person_id=by,
        )
        session.add(stored)
        session.flush()
        detail = {"gold": gold.version, "judgements": gold.counts["recorded"], **counts}
        record(session, AuditAction.GOLD_MADE, by, project.id, **detail)
        if gold.dropped:
            _ask_again(session, project, gold.content, splits, results, by)
        return _gold(stored)


def _ask_again(
    session: Session,
    project: Project,
    content: bytes,
    splits: tuple[str, ...],
    results: Mapping[str, TrainingResult],
    by: str | None,
) -> None:
    """Make items of answers that the gold no longer decides on, and that nobody was asked about."""
    configuration = newest_configuration(session, project.id)
    files = session.execute(
        select(ProjectFile.name, ProjectFile.content).where(
            ProjectFile.project_id == project.id, ProjectFile.role == SITTING
        )
    ).all()
    with _unpacked(content, splits) as task:
        sittings = []
        for name, data in files:
            sittings.append(task.path.with_name(name))
            sittings[-1].write_bytes(data)
        unjudged = _required_pool(configuration).unjudged(task, sittings)
    _ask(session, project, unjudged, configuration, results, by)


_COUNTS = ("recorded", "explicit", "inferred", "rejected", "out_of_bounds")


def _gold(file: ProjectFile) -> HallGold:
    about = json.loads(file.about)
    counts = {name: about[name] for name in ("gold", "event", *_COUNTS)}
    return HallGold(created=file.created, dropped=about.get("dropped", 0), **counts)


def gold_versions(session: Session, project_id: str) -> list[HallGold]:
    """The versions of the gold that were made in the hall, newest first."""
    rows = session.scalars(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == GOLD)
        .order_by(ProjectFile.number.desc())
    )
    return [_gold(row) for row in rows]


def gold_file(session: Session, project_id: str, version: str) -> bytes | None:
    """The task with a version of its gold that was made in the hall."""
    return session.scalar(
        select(ProjectFile.content).where(
            ProjectFile.project_id == project_id,
            ProjectFile.role == GOLD,
            ProjectFile.name == f"gold-{version}.zip",
        )
    )


def judged_answers(session: Session, project: Project) -> PoolVerdicts:
    """What has become of the pooled answers: judges' verdicts, and adjudicators' decisions."""
    pool = _required_pool(newest_configuration(session, project.id))
    return pool.judged(work_of_project(session, project.id), decided_work(session, project))


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
_CACHED = 256
_LOCK = threading.Lock()


def marked_sittings(session: Session, project_id: str, judged: PoolVerdicts) -> list[MarkedSitting]:
    """Every sitting of a project, marked by the library against the newest gold.

    What is settled in ``judged`` is not unjudged, though no version of the gold has it yet.
    """
    pool = _required_pool(newest_configuration(session, project_id))
    task = newest_task(session, project_id)
    rows = session.scalars(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == SITTING)
        .order_by(ProjectFile.number)
    ).all()
    with _LOCK:
        marked = {row.number: _CACHE.get((project_id, task.number, row.number)) for row in rows}
    if None in marked.values():
        with _unpacked(task.content, _splits(task)) as unpacked:
            for row in rows:
                if marked[row.number] is None:
                    marked[row.number] = _marked(pool, unpacked, row)
    sittings = []
    with _LOCK:
        for row in rows:
            result = marked[row.number]
            assert result is not None
            _CACHE[project_id, task.number, row.number] = result
            marks, problem = result
            unjudged = 0 if marks is None else len(marks.unjudged - judged.settled.keys())
            shown = {} if marks is None else marks.marks
            sittings.append(MarkedSitting(row.name, row.created, unjudged, shown, problem))
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return sittings


def _marked(
    pool: AnswerPool, task: PooledTask, sitting: ProjectFile
) -> tuple[PooledMarks | None, str]:
    path = task.path.with_name(sitting.name)
    path.write_bytes(sitting.content)
    try:
        return pool.mark(task, path), ""
    except ReadmarkError as error:
        return None, str(error).replace(f"{path.parent}/", "")
