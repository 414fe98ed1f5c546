"""Retention and quotas: what is deleted when it has expired, and how much a project may store.

Nothing that people made is deleted unless the settings say after how many days.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError
from readmark.core.numbers import decimal
from readmark.server.database import Database
from readmark.server.days import DAY
from readmark.server.settings import HallSettings, Retention
from readmark.server.tables import (
    ApiToken,
    AuditEntry,
    BoardVersion,
    FrozenGold,
    Invitation,
    Item,
    Job,
    LoginAttempt,
    LoginSession,
    Project,
    ProjectFile,
    SatAnswer,
    Submission,
    SubmissionFile,
    WorkerHeartbeat,
)

_BATCH = 500


@dataclass(frozen=True)
class PrunedHall(Result):
    """How many rows of what were deleted, or would be."""

    counts: Mapping[str, int]
    is_dry: bool

    def as_json(self) -> dict[str, Any]:
        return {"deleted": dict(self.counts), "dry_run": self.is_dry}

    def show(self, console: Console) -> None:
        """A line for each sort of row, or that there is nothing."""
        verb = "would be deleted" if self.is_dry else "deleted"
        for name, count in self.counts.items():
            if count:
                console.print(f"{name}: {counted(count, 'row')} {verb}", soft_wrap=True)
        if not any(self.counts.values()):
            console.print("Nothing has expired.")


def prune(
    database: Database,
    retention: Retention,
    *,
    dry_run: bool = False,
    now: float | None = None,
) -> PrunedHall:
    """Delete what has been expired for longer than it is kept; some rows at a time."""
    now = time.time() if now is None else now
    counts = {}
    for name, (table, condition) in _expired(retention, now).items():
        keys = list(table.__table__.primary_key.columns)
        if dry_run:
            with database.reading() as session:
                counts[name] = int(session.scalar(select(func.count()).where(condition)) or 0)
            continue
        counts[name] = 0
        while True:
            with database.writing() as session:
                batch = session.scalars(select(keys[0]).where(condition).limit(_BATCH)).all()
                session.execute(delete(table).where(keys[0].in_(batch)))
            counts[name] += len(batch)
            if len(batch) < _BATCH:
                break
    return PrunedHall(counts, dry_run)


def _expired(retention: Retention, now: float) -> dict[str, tuple[Any, ColumnElement[bool]]]:
    """By the name of a setting: the table, and which rows have been expired for long enough."""
    failed = select(Submission.id).where(
        Submission.state == "failed",
        Submission.received < now - (retention.failed_submissions or 0) * DAY,
    )
    newer = aliased(BoardVersion)
    replaced = exists().where(
        newer.project_id == BoardVersion.project_id, newer.number > BoardVersion.number
    )

    def before(days: int | None) -> float:
        return now - (days or 0) * DAY

    conditions: dict[str, tuple[Any, int | None, ColumnElement[bool]]] = {
        "sessions": (
            LoginSession,
            retention.sessions,
            LoginSession.expires < before(retention.sessions),
        ),
        "invitations": (
            Invitation,
            retention.invitations,
            and_(
                Invitation.accepted_by.is_(None),
                or_(
                    Invitation.expires < before(retention.invitations),
                    Invitation.revoked < before(retention.invitations),
                ),
            ),
        ),
        "tokens": (
            ApiToken,
            retention.tokens,
            or_(
                ApiToken.expires < before(retention.tokens),
                ApiToken.revoked < before(retention.tokens),
            ),
        ),
        "login_attempts": (
            LoginAttempt,
            retention.login_attempts,
            LoginAttempt.time < before(retention.login_attempts),
        ),
        "jobs": (Job, retention.jobs, Job.finished < before(retention.jobs)),
        "workers": (
            WorkerHeartbeat,
            retention.jobs,
            WorkerHeartbeat.seen < before(retention.jobs) - DAY,
        ),
        "failed_submissions": (
            SubmissionFile,
            retention.failed_submissions,
            SubmissionFile.submission_id.in_(failed),
        ),
        "failed_answers": (
            SatAnswer,
            retention.failed_submissions,
            SatAnswer.submission_id.in_(failed),
        ),
        "boards": (
            BoardVersion,
            retention.boards,
            and_(BoardVersion.created < before(retention.boards), replaced),
        ),
        "audit": (AuditEntry, retention.audit, AuditEntry.time < before(retention.audit)),
    }
    return {
        name: (table, condition)
        for name, (table, days, condition) in conditions.items()
        if days is not None
    }


# Quotas.


def stored_bytes(session: Session, project_id: str) -> int:
    """What the items and files of a project take up; people's work is not counted."""
    sizes = (
        select(func.sum(func.length(Item.paper) + func.length(Item.key))).where(
            Item.project_id == project_id
        ),
        select(func.sum(func.length(ProjectFile.content))).where(
            ProjectFile.project_id == project_id
        ),
        select(func.sum(func.length(FrozenGold.content))).where(
            FrozenGold.project_id == project_id
        ),
        select(func.sum(func.length(SubmissionFile.content)))
        .join(Submission, Submission.id == SubmissionFile.submission_id)
        .where(Submission.project_id == project_id),
    )
    return sum(int(session.scalar(size) or 0) for size in sizes)


def require_space(
    session: Session, settings: HallSettings, project: Project | None, *adding: int | None
) -> None:
    """Refuse files, by their sizes, that a project has no room for; None is a new project."""
    limit, size = settings.largest_project, sum(filter(None, adding))
    if limit is None:
        return
    stored = 0 if project is None else stored_bytes(session, project.id)
    if stored + size > limit:
        raise DataError(
            f"the project may store {limit >> 20} MB and has {decimal(stored / (1 << 20), 1)} MB: "
            f"there is no room for {decimal(size / (1 << 20), 1)} MB more"
        )
