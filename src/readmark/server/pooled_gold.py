"""Gold that a project makes of settled verdicts on answers of systems, in versions of its task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.server.answer_pool import (
    GOLD,
    SITTING,
    judged_answers,
    newest_task,
    required_pool,
    splits_of,
    unpacked,
)
from readmark.server.audit import AuditAction, record
from readmark.server.database import Database
from readmark.server.pooled_sittings import ask_judges
from readmark.server.project_work import last_event
from readmark.server.tables import Project, ProjectFile
from readmark.server.training import TrainingResult, results_to_hand_out_by
from readmark.server.views import newest_configuration


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
    """Right answers of the version before that this one lacks."""


_COUNTS = ("recorded", "explicit", "inferred", "rejected", "out_of_bounds")


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
        content, splits, previous = file.content, splits_of(file), file.number
    # Made before the project is locked, so that people can save meanwhile.
    with unpacked(content, splits) as task:
        gold = required_pool(configuration).make_gold(task, judged, drop=drop)
    results = results_to_hand_out_by(database, project.id) if gold.dropped else {}
    dropped = {"dropped": len(gold.dropped)}
    about = {"splits": splits, "gold": gold.version, "event": event, **gold.counts, **dropped}
    with database.writing() as session:
        # Locked, so that of two who make a version at once the second is refused.
        session.get(Project, project.id, with_for_update=True)
        if newest_task(session, project.id).number != previous:
            raise UsageError("somebody else has just made a version: look at it first")
        file = ProjectFile(
            project_id=project.id,
            role=GOLD,
            name=f"gold-{gold.version}.zip",
            content=gold.content,
            about=json.dumps(about),
            person_id=by,
        )
        session.add(file)
        session.flush()
        detail = {"gold": gold.version, "judgements": gold.counts["recorded"], **dropped}
        record(session, AuditAction.GOLD_MADE, by, project.id, **detail)
        if gold.dropped:
            _ask_again(session, project, gold.content, splits, results, by=by)
        return _version_in(file)


def _ask_again(
    session: Session,
    project: Project,
    content: bytes,
    splits: tuple[str, ...],
    results: Mapping[str, TrainingResult],
    *,
    by: str | None,
) -> None:
    """Make items of answers that the gold no longer decides on, and that nobody was asked about."""
    configuration = newest_configuration(session, project.id)
    files = session.execute(
        select(ProjectFile.name, ProjectFile.content).where(
            ProjectFile.project_id == project.id, ProjectFile.role == SITTING
        )
    ).all()
    with unpacked(content, splits) as task:
        paths = []
        for name, sitting in files:
            path = task.path.with_name(name)
            path.write_bytes(sitting)
            paths.append(path)
        unjudged = required_pool(configuration).unjudged(task, paths)
    ask_judges(session, project, unjudged, configuration, results, by=by)


def pooled_gold_versions(session: Session, project_id: str) -> list[HallGold]:
    """The versions of the gold that were made in the hall, newest first."""
    files = session.scalars(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == GOLD)
        .order_by(ProjectFile.number.desc())
    )
    return [_version_in(file) for file in files]


def _version_in(file: ProjectFile) -> HallGold:
    about = json.loads(file.about)
    counts = {name: about[name] for name in ("gold", "event", *_COUNTS)}
    return HallGold(created=file.created, dropped=about.get("dropped", 0), **counts)


def gold_file(session: Session, project_id: str, version: str) -> bytes | None:
    """The task with a version of its gold that was made in the hall."""
    return session.scalar(
        select(ProjectFile.content).where(
            ProjectFile.project_id == project_id,
            ProjectFile.role == GOLD,
            ProjectFile.name == f"gold-{version}.zip",
        )
    )
