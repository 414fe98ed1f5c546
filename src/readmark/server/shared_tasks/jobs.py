"""The queue of jobs: a worker claims one, renews its lease while it works, and finishes it.

A worker that dies leaves a lease that runs out, and another worker takes the job. A job that has
ended its worker too often fails instead of ending more of them. Of the same work, one job may run
and one may wait: what is asked for while it runs is done after it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from readmark.server.tables import Job

JobKind = Literal["mark", "sit", "people", "board"]
PRIORITIES: dict[str, int] = {"mark": 0, "people": 1, "board": 2, "sit": 3}
"""Submissions first: a board is made once for many of them."""
LEASE = 15.0
"""Seconds that a job stays with a worker that is not heard of."""
MOST_ATTEMPTS = 8
"""Workers that a job may end before it fails."""
BOARD_DELAY = 20.0
"""Seconds after which a board goes before submissions: teams wait for their marks."""
BOARD_SHARE = 4.0
"""While submissions wait, so many times as long as the last board took pass before the next."""


@dataclass(frozen=True)
class ClaimedJob:
    """A job that a worker holds."""

    number: int
    kind: str
    subject: str
    worker: str
    attempt: int


def add_job(session: Session, kind: JobKind, subject: str) -> None:
    """Ask for work; where the same work is waiting already, nothing is added.

    That job is locked then: it must not begin before what it is to see is committed.
    """
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    values = {"kind": kind, "subject": subject, "priority": PRIORITIES[kind]}
    # In so many letters: PostgreSQL finds no index for the parameter of a prepared statement.
    waiting = text("state = 'waiting'")
    session.execute(
        insert(Job)
        .values(**values)
        .on_conflict_do_update(
            index_elements=["kind", "subject"],
            index_where=waiting,
            set_={"priority": PRIORITIES[kind]},
        )
    )


def claim_job(session: Session, worker: str) -> ClaimedJob | None:
    """Take the next job: one that is waiting, or that another worker has left."""
    now = clock(session)
    _take_back(session, now)
    twin = aliased(Job)
    is_running = exists().where(
        twin.kind == Job.kind, twin.subject == Job.subject, twin.state == "running"
    )
    is_late = and_(Job.kind == "board", Job.created < now - _board_delay(session))
    job = session.scalar(
        select(Job)
        .where(Job.state == "waiting", ~is_running)
        .order_by(case((is_late, -1), else_=Job.priority), Job.number)
        .limit(1)
        .with_for_update(skip_locked=True, of=Job)
    )
    if job is None:
        return None
    job.state, job.worker, job.lease, job.started = "running", worker, now + LEASE, now
    job.attempts += 1
    return ClaimedJob(job.number, job.kind, job.subject, worker, job.attempts)


def _board_delay(session: Session) -> float:
    """How long a board lets submissions pass."""
    last = session.scalar(
        select(Job.finished - Job.started)
        .where(Job.kind == "board", Job.state == "done")
        .order_by(Job.number.desc())
        .limit(1)
    )
    return max(BOARD_DELAY, BOARD_SHARE * (last or 0.0))


def has_work(session: Session) -> bool:
    """Whether a job is waiting, or was left by a worker."""
    waiting = or_(Job.state == "waiting", _is_left(clock(session)))
    return session.scalar(select(Job.number).where(waiting).limit(1)) is not None


def clock(session: Session) -> float:
    """The time by which leases end: the database's, which is the same for every worker."""
    if session.get_bind().dialect.name == "sqlite":
        return time.time()
    return float(session.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)


def _is_left(now: float) -> ColumnElement[bool]:
    """A lease that has run out, or that a clock which was set back has made too long."""
    return (Job.state == "running") & ((Job.lease < now) | (Job.lease > now + 2 * LEASE))


def _take_back(session: Session, now: float) -> None:
    """Let jobs wait again whose worker has died."""
    left = session.scalars(select(Job).where(_is_left(now)).with_for_update(skip_locked=True)).all()
    for job in left:
        _let_wait(session, job, now)


def _let_wait(session: Session, job: Job, now: float) -> None:
    """Put a job back into the queue; if the same one waits already, that is enough."""
    try:
        with session.begin_nested():
            job.state, job.lease = "waiting", None
    except IntegrityError:
        session.refresh(job)
        job.state, job.lease, job.finished = "done", None, now
        session.flush()


def return_job(session: Session, job: ClaimedJob) -> None:
    """Put a job that is not begun or not finished back into the queue; no attempt is counted."""
    row = session.scalar(select(Job).where(*_is_held(job)).with_for_update())
    if row is not None:
        row.attempts -= 1
        _let_wait(session, row, clock(session))


def renew_lease(session: Session, job: ClaimedJob) -> bool:
    """Keep a job; False if it is another worker's by now."""
    renewed = session.execute(
        update(Job).where(*_is_held(job)).values(lease=clock(session) + LEASE)
    )
    return bool(renewed.rowcount)  # type: ignore[attr-defined]


def finish_job(session: Session, job: ClaimedJob, error: str = "") -> bool:
    """Close a job in the transaction that stores its result; False if it is not ours any more."""
    state = "failed" if error else "done"
    values = {"state": state, "error": error, "finished": clock(session), "lease": None}
    closed = session.execute(update(Job).where(*_is_held(job)).values(**values))
    return bool(closed.rowcount)  # type: ignore[attr-defined]


def is_waiting(session: Session, kind: JobKind, subject: str) -> bool:
    """Whether a job is still to be done, or being done."""
    query = select(Job.number).where(
        Job.kind == kind, Job.subject == subject, Job.state.in_(("waiting", "running"))
    )
    return session.scalar(query.limit(1)) is not None


def _is_held(job: ClaimedJob) -> tuple[ColumnElement[bool], ...]:
    """That a job is still the attempt of the worker that claimed it."""
    return (
        Job.number == job.number,
        Job.state == "running",
        Job.worker == job.worker,
        Job.attempts == job.attempt,
    )
