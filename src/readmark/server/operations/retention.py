"""Retention: what is deleted when it has expired.

Nothing that people made is deleted unless the settings say after how many days.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from sqlalchemy import ColumnElement, delete, exists, func, inspect, or_, select
from sqlalchemy.orm import aliased

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.server.database import Database
from readmark.server.days import DAY
from readmark.server.settings import Retention
from readmark.server.tables import (
    ApiToken,
    AuditEntry,
    BoardVersion,
    HallTable,
    Invitation,
    Job,
    LoginAttempt,
    LoginSession,
    SatAnswer,
    Submission,
    SubmissionFile,
    WorkerHeartbeat,
)

_ROWS_A_TRANSACTION = 500


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


@dataclass(frozen=True)
class _Expired:
    """Rows of a table that have been expired for long enough."""

    name: str
    table: type[HallTable]
    condition: ColumnElement[bool]


def prune(
    database: Database,
    retention: Retention,
    *,
    dry_run: bool = False,
    now: float | None = None,
) -> PrunedHall:
    """Delete what has been expired for longer than it is kept; some rows at a time."""
    counts = {}
    for expired in _expired(retention, time.time() if now is None else now):
        if dry_run:
            with database.reading() as session:
                count = session.scalar(select(func.count()).where(expired.condition))
                counts[expired.name] = int(count or 0)
            continue
        key = inspect(expired.table).primary_key[0]
        counts[expired.name] = 0
        while True:  # other writers come in between
            with database.writing() as session:
                rows = select(key).where(expired.condition).limit(_ROWS_A_TRANSACTION)
                batch = session.scalars(rows).all()
                session.execute(delete(expired.table).where(key.in_(batch)))
            counts[expired.name] += len(batch)
            if len(batch) < _ROWS_A_TRANSACTION:
                break
    return PrunedHall(counts, dry_run)


def _expired(retention: Retention, now: float) -> list[_Expired]:
    """What each setting that says a number of days lets expire, in the order of the printout."""
    expired: list[_Expired] = []

    def add(name: str, table: type[HallTable], condition: ColumnElement[bool]) -> None:
        expired.append(_Expired(name, table, condition))

    if retention.sessions is not None:
        add("sessions", LoginSession, LoginSession.expires < now - retention.sessions * DAY)
    if retention.invitations is not None:
        end = now - retention.invitations * DAY
        is_over = or_(Invitation.expires < end, Invitation.revoked < end)
        add("invitations", Invitation, Invitation.accepted_by.is_(None) & is_over)
    if retention.tokens is not None:
        end = now - retention.tokens * DAY
        add("tokens", ApiToken, or_(ApiToken.expires < end, ApiToken.revoked < end))
    if retention.login_attempts is not None:
        end = now - retention.login_attempts * DAY
        add("login_attempts", LoginAttempt, LoginAttempt.time < end)
    if retention.jobs is not None:
        end = now - retention.jobs * DAY
        add("jobs", Job, Job.finished < end)
        add("workers", WorkerHeartbeat, WorkerHeartbeat.seen < end - DAY)
    if retention.failed_submissions is not None:
        end = now - retention.failed_submissions * DAY
        failed = select(Submission.id).where(
            Submission.state == "failed", Submission.received < end
        )
        is_of_failed = SubmissionFile.submission_id.in_(failed)
        add("failed_submissions", SubmissionFile, is_of_failed)
        add("failed_answers", SatAnswer, SatAnswer.submission_id.in_(failed))
    if retention.boards is not None:
        newer = aliased(BoardVersion)
        is_replaced = exists().where(
            newer.project_id == BoardVersion.project_id, newer.number > BoardVersion.number
        )
        is_old = BoardVersion.created < now - retention.boards * DAY
        add("boards", BoardVersion, is_old & is_replaced)
    if retention.audit is not None:
        add("audit", AuditEntry, AuditEntry.time < now - retention.audit * DAY)
    return expired
