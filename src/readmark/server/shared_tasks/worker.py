"""A worker: takes jobs from the queue, and keeps each for as long as it is worked on.

The worker itself has the database; the process that reads what people sent has not (`job_work`).
Killed at any moment, either leaves the queue whole: what was in hand is done again by the next
worker.
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import threading
import time
from collections.abc import Sequence

from sqlalchemy import delete
from sqlalchemy.exc import DBAPIError

from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.operations.logs import error_fields
from readmark.server.shared_tasks.api_sittings import close_overdue_sittings
from readmark.server.shared_tasks.job_work import JobLimits, JobWork, fail_job
from readmark.server.shared_tasks.jobs import (
    LEASE,
    ClaimedJob,
    claim_job,
    has_work,
    renew_lease,
    return_job,
)
from readmark.server.tables import WorkerHeartbeat

LOG = logging.getLogger("readmark.hall")
POLL = 0.5
"""Seconds between two looks into an empty queue."""
BEAT = 5.0
"""Seconds between two signs of life."""
CLOSE = 60.0
"""Seconds between two looks for sittings whose phase is over."""
AWAY = 5.0
"""Seconds to wait when the database is away, or anything else goes wrong."""
FAULTS = 3
"""Attempts at a job that fails through no fault of the submission."""
FAULT = "something went wrong in the hall; the organiser can mark it again"


class _Stopped(Exception):
    """The worker was asked to stop, or the job is another worker's by now."""


class Worker:
    """Does jobs until it is stopped."""

    def __init__(
        self, database: Database, *, limits: JobLimits | None = None, name: str | None = None
    ) -> None:
        self._database = database
        self._limits = limits or JobLimits()
        self.name = (name or f"{platform.node()[:50]}:{os.getpid()}:{secrets.token_hex(4)}")[:80]
        self._started = time.time()
        self._last_beat = self._last_renewal = self._last_closing = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def ask_to_stop(self) -> None:
        """Let it give back the job in hand, and end."""
        self._stop.set()

    def stop(self) -> None:
        """End it, and wait until a job in hand is given back."""
        self.ask_to_stop()
        if self._thread is not None:
            self._thread.join(10)

    def run(self) -> None:
        """Work until it is stopped; a database that is away is waited for."""
        while not self._stop.is_set():
            try:
                if not self.run_once():
                    self._stop.wait(POLL)
            except Exception as error:  # whatever it is, the next job may do better
                cause = error.orig if isinstance(error, DBAPIError) else error
                LOG.error("worker", extra=error_fields(cause or error))
                self._stop.wait(AWAY)

    def start(self) -> None:
        """Work in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name=self.name, daemon=True)
        self._thread.start()

    def run_once(self) -> bool:
        """Do the next job; False if there is none."""
        self._beat()
        self._close_overdue()
        if not self._has_work():
            return False
        with self._database.writing() as session:
            job = claim_job(session, self.name)
        if job is None:
            return False
        self._last_renewal = time.monotonic()
        try:
            JobWork(self._database, job, self._limits, lambda: self._watch(job)).do()
        except _Stopped:
            with self._database.writing() as session:
                return_job(session, job)
        except DATABASE_ERRORS:
            raise  # when its lease has run out, the job is done again
        except Exception as error:  # a fault of ours must not end the worker
            LOG.error("job failed", extra={"job": job.number, **error_fields(error)})
            if job.attempt >= FAULTS:
                fail_job(self._database, job, FAULT)
        return True

    def _has_work(self) -> bool:
        """Whether a look at the queue is worth a transaction that writes."""
        with self._database.reading() as session:
            return has_work(session)

    def _beat(self) -> None:
        now = time.time()
        if now - self._last_beat < BEAT:
            return
        with self._database.writing() as session:
            session.merge(WorkerHeartbeat(name=self.name, started=self._started, seen=now))
            session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen < now - 3600))
        self._last_beat = now

    def _close_overdue(self) -> None:
        if time.time() - self._last_closing >= CLOSE:
            self._last_closing = (
                time.time()
            )  # first: what goes wrong here must not hold up the jobs
            close_overdue_sittings(self._database)

    def _watch(self, job: ClaimedJob) -> None:
        """Keep the lease and look for an end: every second of a process, and between processes."""
        if self._stop.is_set():
            raise _Stopped
        since = time.monotonic() - self._last_renewal
        if since <= LEASE / 5:
            return
        try:
            with self._database.writing() as session:
                if not renew_lease(session, job):
                    raise _Stopped
            self._beat()
        except DATABASE_ERRORS:  # the database may be back before the lease has run out
            if since > LEASE:
                raise
            return
        self._last_renewal = time.monotonic()


def start_workers(
    database: Database, count: int, *, limits: JobLimits | None = None
) -> list[Worker]:
    """Workers in threads of this process; each does one job at a time in a process of its own."""
    workers = [Worker(database, limits=limits) for _ in range(count)]
    for worker in workers:
        worker.start()
    return workers


def stop_workers(workers: Sequence[Worker]) -> None:
    """End workers, and wait until the jobs in hand are given back."""
    for worker in workers:
        worker.ask_to_stop()
    for worker in workers:
        worker.stop()
