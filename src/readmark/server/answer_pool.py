"""Sittings of systems in a project: what nobody has judged becomes items, and verdicts gold.

The library pools, makes the versions of the gold and marks; the hall keeps the files.
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

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.json_lines import json_line
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Test
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_sitting, open_test
from readmark.hooks import hook
from readmark.marking import mark
from readmark.server.accounts import AuditAction, record
from readmark.server.adjudication import decided_work
from readmark.server.assignment import top_up
from readmark.server.database import Database
from readmark.server.log import is_file_name, last_event, work_of_project
from readmark.server.projects import ReadItems, add_items, item_rows, items_of
from readmark.server.tables import Project, ProjectFile
from readmark.server.views import item_of, newest_configuration, work_named
from readmark.tasks.service import (
    JudgedPool,
    make_gold,
    settled_verdicts,
    unjudged_ids,
    write_gold_version,
)
from readmark.works import PooledAnswers

TASK, SITTING, GOLD = "task", "sitting", "gold"
NAME = "task.zip"
MOST_SITTINGS = 200
"""Sittings of a project."""
MOST_ANSWERS = 100_000
"""Answers of a sitting."""
MOST_POOLED = 5000
"""Answers of a sitting that nobody has judged: more is no work for people."""


# The task in its versions.


def newest_task(session: Session, project_id: str) -> ProjectFile:
    """The project's task with the newest version of its gold."""
    found = session.scalar(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role.in_((TASK, GOLD)))
        .order_by(ProjectFile.number.desc())
        .limit(1)
        .options(undefer(ProjectFile.content))
    )
    if found is None:
        raise UsageError("the project has no task that sittings could be pooled for")
    return found


@contextmanager
def _unpacked(content: bytes, name: str = NAME) -> Iterator[Path]:
    """A file in a folder of its own; errors do not name the folder."""
    with tempfile.TemporaryDirectory(prefix="readmark-pool-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            yield path
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


def _pooled_part(task: Path, splits: tuple[str, ...]) -> Test:
    """The part of a task whose answers are judged: named splits, or all that are not hidden."""
    part, _ = without_hidden(select_splits(open_test(task), splits), "for judges")
    return part


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
    pool = hook(work_named(configuration.project.work), "pool")
    with _unpacked(content) as task:
        test = _pooled_part(task, splits)
        sitting = open_sitting(path, test.kind)
        sat_splits(test, sitting)
        require_known_ids(test, sitting)
        given = [row.answer for id in sitting for row in sitting.of(id)]
        count = sum(len(bindings) for bindings in given if isinstance(bindings, list))
        if not 0 < count <= MOST_ANSWERS:
            raise DataError(f"has {count} answers, expected 1 to {MOST_ANSWERS}", file=path)
        native = path.with_name("native.jsonl")
        NATIVE_SITTING.write_sitting(sitting, native)
        data = native.read_bytes()
        pooled: PooledAnswers = pool(test, [sitting])
        if len(pooled) > MOST_POOLED:
            message = f"has {len(pooled)} answers to judge, expected at most {MOST_POOLED}"
            raise DataError(message, file=path)
        with database.writing() as session:
            locked = session.get(Project, project.id, with_for_update=True)
            if locked is None or not locked.is_open:
                raise UsageError(f"the project {project.slug!r} is closed: open it first")
            name = _free_name(session, project.id, sitting.candidate, path.stem, data)
            items = [item_of(item) for item in items_of(session, project.id, "work")]
            new = list(pooled.items(items, configuration))
            session.add(
                ProjectFile(
                    project_id=project.id,
                    role=SITTING,
                    name=name,
                    content=data,
                    about=json.dumps({"candidate": sitting.candidate[:200]}),
                    person_id=by,
                )
            )
            add_items(session, project, ReadItems((), item_rows(new), "work"), by=by)
            session.flush()
            top_up(session, project.id)
            answers = sum(len(item.paper["answers"]) for item in new)
            detail = {"sitting": name, "answers": answers, "items": len(new)}
            record(session, AuditAction.SITTING_ADDED, by, project.id, **detail)
    return AddedSitting(name, answers, len(new))


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
        judged = judged_answers(session, project)
        event, file = last_event(session, project.id), newest_task(session, project.id)
        content, splits, before = file.content, _splits(file), file.number
    if not judged.settled:
        raise UsageError("no verdict is settled yet: judges hand their items in first")
    with _unpacked(content) as task:
        verdicts = task.with_name("pool.jsonl")
        verdicts.write_bytes(b"".join(map(json_line, judged.settled)))
        output = task.with_name("gold.jsonl")
        made = make_gold(task, output, adjudicated=[str(verdicts)], revise=True, drop=drop)
        if not made.recorded:
            raise UsageError("the gold has every verdict that is settled")
        packed = task.with_name("packed.zip")
        write_gold_version(task, packed, made.version)
        data = packed.read_bytes()
    about = {
        "splits": splits,
        "gold": made.version,
        "event": event,
        **{name: getattr(made, name) for name in _COUNTS},
        "dropped": len(made.dropped),
    }
    with database.writing() as session:
        session.get(Project, project.id, with_for_update=True)
        if newest_task(session, project.id).number != before:
            raise UsageError("somebody else has just made a version: look at it first")
        stored = ProjectFile(
            project_id=project.id,
            role=GOLD,
            name=f"gold-{made.version}.zip",
            content=data,
            about=json.dumps(about),
            person_id=by,
        )
        session.add(stored)
        session.flush()
        detail = {"gold": made.version, "judgements": made.recorded, "dropped": len(made.dropped)}
        record(session, AuditAction.GOLD_MADE, by, project.id, **detail)
        if made.dropped:
            _ask_again(session, project, data, splits, by)
        return _gold(stored)


def _ask_again(
    session: Session, project: Project, content: bytes, splits: tuple[str, ...], by: str | None
) -> None:
    """Make items of answers that the gold no longer decides on, and that nobody was asked about."""
    configuration = newest_configuration(session, project.id)
    pool = hook(work_named(configuration.project.work), "pool")
    files = session.execute(
        select(ProjectFile.name, ProjectFile.content).where(
            ProjectFile.project_id == project.id, ProjectFile.role == SITTING
        )
    ).all()
    with _unpacked(content) as task:
        test = _pooled_part(task, splits)
        sittings = []
        for name, data in files:
            path = task.with_name(name)
            path.write_bytes(data)
            sittings.append(open_sitting(path, test.kind))
        pooled: PooledAnswers = pool(test, sittings)
    items = [item_of(item) for item in items_of(session, project.id, "work")]
    new = list(pooled.items(items, configuration))
    add_items(session, project, ReadItems((), item_rows(new), "work"), by=by)
    session.flush()
    top_up(session, project.id)


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


def judged_answers(session: Session, project: Project) -> JudgedPool:
    """What has become of the pooled answers: judges' verdicts, and adjudicators' decisions."""
    return settled_verdicts(work_of_project(session, project.id), decided_work(session, project))


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


_Marked = tuple[frozenset[str], dict[str, Any], str]
"""The ids of the answers that the gold does not decide on, the marks, and what is wrong."""
_CACHE: OrderedDict[tuple[str, int, int], _Marked] = OrderedDict()
_CACHED = 256
_LOCK = threading.Lock()


def marked_sittings(session: Session, project_id: str, judged: JudgedPool) -> list[MarkedSitting]:
    """Every sitting of a project, marked by the library against the newest gold.

    What is settled in ``judged`` is not unjudged, though no version of the gold has it yet.
    """
    task = newest_task(session, project_id)
    rows = session.scalars(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == SITTING)
        .order_by(ProjectFile.number)
    ).all()
    with _LOCK:
        known = {row.number: _CACHE.get((project_id, task.number, row.number)) for row in rows}
    if None in known.values():
        with _unpacked(task.content) as path:
            part = _pooled_part(path, _splits(task))
            for row in rows:
                if known[row.number] is None:
                    known[row.number] = _marked(part, path.with_name(row.name), row.content)
    found = []
    settled = judged.settled_ids
    with _LOCK:
        for row in rows:
            result = known[row.number]
            assert result is not None
            _CACHE[project_id, task.number, row.number] = result
            pooled, marks, problem = result
            unjudged = len(pooled - settled)
            found.append(MarkedSitting(row.name, row.created, unjudged, marks, problem))
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return found


def _marked(test: Test, path: Path, content: bytes) -> _Marked:
    path.write_bytes(content)
    try:
        sitting = open_sitting(path, test.kind)
        marks = mark(test, sitting, classes=False).as_json(units=False)["marks"]
        return unjudged_ids(test, sitting), marks, ""
    except ReadmarkError as error:
        return frozenset(), {}, str(error).replace(f"{path.parent}/", "")
