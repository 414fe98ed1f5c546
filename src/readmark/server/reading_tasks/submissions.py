"""Answers that programs submit to reading tasks: scored at once, kept in a log, fed to the pool.

"Detailed logs are kept of answers provided by each reading system. These are gathered by the
evaluation team periodically for review" ("The DARPA Machine Reading Program", section 3).
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.server.database import Database
from readmark.server.full_disk import noticing_full_disk
from readmark.server.reading_tasks.catalogue import ServedTask, bundled_names
from readmark.server.reading_tasks.packages import whole_package
from readmark.server.reading_tasks.pulled_submissions import pull
from readmark.server.tables import Person, Project, ReadingTaskSubmission
from readmark.tasks import score_answers
from readmark.works import HEAVY_CALLS

DAY = 86_400.0
MOST_A_DAY = 200
"""Submissions of a person within a day."""
MOST_HIDDEN_A_DAY = 10
"""Those to one task with hidden splits: many could find the gold by trial."""
MOST_LISTED = 50
"""Submissions of a list."""


@dataclass(frozen=True)
class LoggedSubmission:
    """An entry of the log, as its person sees it."""

    id: str
    task: str
    candidate: str
    gold: int
    created: float
    result: dict[str, Any]


def submit(
    database: Database, person: Person, task: ServedTask, path: Path, *, by_name: str = ""
) -> LoggedSubmission:
    """Score a file of answers by the newest gold of the task, and keep both.

    A file of another task, or with an answer that cannot be read, leaves no entry.
    """
    package = whole_package(database, task)
    has_hidden = bool(package.hidden)
    with database.reading() as session:
        project = session.get(Project, task.project_id) if task.project_id else None
        if project is not None and not project.is_open:
            raise UsageError("the project of this task is closed: nothing more is accepted")
        _require_quota(session, person, task, has_hidden)
    with HEAVY_CALLS.turn(person.id), noticing_full_disk():
        scored = score_answers(
            package.path,
            path,
            task.selection,
            people=_people(task),
            candidate=by_name,
            sender=person.name,
        )
    with database.writing() as session:
        # Others may have been scored meanwhile; nothing of one that is too many is shown.
        session.get(Person, person.id, with_for_update=True)
        _require_quota(session, person, task, has_hidden)
        row = ReadingTaskSubmission(
            task_id=task.id,
            root_id=task.root,
            person_id=person.id,
            candidate=scored.candidate,
            gold=scored.result["gold"],
            content=scored.sitting,
            result=json.dumps(scored.result, ensure_ascii=False),
        )
        session.add(row)
        session.flush()
        logged = _logged(row)
    if project is not None and task.feeds_pool:
        # What cannot be pooled now stays in the log, and the organiser's call says why.
        pull(database, project, row, by=person.id, keeps_problem=False)
    return logged


def _people(task: ServedTask) -> Path | None:
    """The folder with people's sittings of a task that ships."""
    if task.root not in bundled_names():
        return None
    folder = Path(str(files("readmark.bundle"))) / f"{task.root}.people"
    return folder if folder.is_dir() else None


def _require_quota(session: Session, person: Person, task: ServedTask, has_hidden: bool) -> None:
    recent = (
        select(func.count())
        .select_from(ReadingTaskSubmission)
        .where(
            ReadingTaskSubmission.person_id == person.id,
            ReadingTaskSubmission.created > time.time() - DAY,
        )
    )
    if (session.scalar(recent) or 0) >= MOST_A_DAY:
        raise UsageError(f"you have submitted {MOST_A_DAY} times within a day, which is the most")
    if has_hidden:
        to_task = recent.where(ReadingTaskSubmission.root_id == task.root)
        if (session.scalar(to_task) or 0) >= MOST_HIDDEN_A_DAY:
            raise UsageError(
                f"you have submitted {MOST_HIDDEN_A_DAY} times within a day to a task with hidden "
                "splits, which is the most"
            )


def own_submissions(session: Session, person: Person, task: str) -> list[LoggedSubmission]:
    """What a person has submitted to a task, newest first."""
    rows = session.scalars(
        select(ReadingTaskSubmission)
        .where(ReadingTaskSubmission.person_id == person.id, ReadingTaskSubmission.task_id == task)
        .order_by(ReadingTaskSubmission.created.desc(), ReadingTaskSubmission.id)
        .limit(MOST_LISTED)
    )
    return [_logged(row) for row in rows]


def own_submission(
    session: Session, person: Person, task: str, id: str
) -> tuple[LoggedSubmission, bytes] | None:
    """One of a person's submissions to a task, with its answers as a native sitting."""
    row = session.get(ReadingTaskSubmission, id)
    if row is None or row.person_id != person.id or row.task_id != task:
        return None
    return _logged(row), row.content


def _logged(row: ReadingTaskSubmission) -> LoggedSubmission:
    result = json.loads(row.result)
    return LoggedSubmission(row.id, row.task_id, row.candidate, row.gold, row.created, result)
