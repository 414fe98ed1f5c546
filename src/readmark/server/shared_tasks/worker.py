"""A worker: takes jobs from the queue and does each in a confined process.

The worker itself has the database; the process that reads what people sent has not. Killed at any
moment, either leaves the queue whole: what was in hand is done again by the next worker.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, undefer

from readmark.core.confinement import Late, ProcessFailed, bare_environment, run_confined
from readmark.core.errors import DataError, ReadmarkError
from readmark.server.boards.board import refresh_board
from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.operations.logs import error_fields
from readmark.server.shared_tasks import marker
from readmark.server.shared_tasks.api_sittings import close_overdue_sittings
from readmark.server.shared_tasks.data_card import CARD_ROLE
from readmark.server.shared_tasks.jobs import (
    LEASE,
    MOST_ATTEMPTS,
    ClaimedJob,
    add_job,
    claim_job,
    finish_job,
    has_work,
    is_waiting,
    renew_lease,
    return_job,
)
from readmark.server.shared_tasks.opened_task import open_task
from readmark.server.shared_tasks.people_row import PEOPLE, PEOPLE_MARKS
from readmark.server.shared_tasks.submissions import (
    ANSWERS,
    FAILED,
    MARKED,
    MARKSHEET,
    WAITING,
    WITHDRAWN,
    file_content,
    store_file,
)
from readmark.server.tables import ProjectFile, Submission, WorkerHeartbeat

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
LONGEST_ERROR = 2000
FAULT = "something went wrong in the hall; the organiser can mark it again"


@dataclass(frozen=True)
class JobLimits:
    """What one job may take."""

    seconds: float = 120.0
    memory: int = 2 << 30
    baseline_seconds: float = 4 * 3600.0
    baseline_memory: int = 4 << 30


class _Stopped(Exception):
    """The worker was asked to stop, or the job is another worker's by now."""


class _HallFault(Exception):
    """A job failed through no fault of what was submitted."""


class Worker:
    """Does jobs until it is stopped."""

    def __init__(
        self, database: Database, *, limits: JobLimits | None = None, name: str | None = None
    ) -> None:
        self._database = database
        self._limits = limits or JobLimits()
        self.name = (name or f"{platform.node()[:50]}:{os.getpid()}:{secrets.token_hex(4)}")[:80]
        self._started = time.time()
        self._seen = self._renewed = self._closed = 0.0
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
        self._renewed = time.monotonic()
        try:
            self._do(job)
        except _Stopped:
            with self._database.writing() as session:
                return_job(session, job)
        except DATABASE_ERRORS:
            raise  # when its lease has run out, the job is done again
        except Exception as error:  # a fault of ours must not end the worker
            LOG.error("job failed", extra={"job": job.number, **error_fields(error)})
            if job.attempt >= FAULTS:
                self._fail(job, FAULT)
        return True

    def _has_work(self) -> bool:
        """Whether a look at the queue is worth a transaction that writes."""
        with self._database.reading() as session:
            return has_work(session)

    def _beat(self) -> None:
        now = time.time()
        if now - self._seen < BEAT:
            return
        with self._database.writing() as session:
            session.merge(WorkerHeartbeat(name=self.name, started=self._started, seen=now))
            session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen < now - 3600))
        self._seen = now

    def _close_overdue(self) -> None:
        if time.time() - self._closed >= CLOSE:
            self._closed = time.time()  # first: what goes wrong here must not hold up the jobs
            close_overdue_sittings(self._database)

    def _watch(self, job: ClaimedJob) -> None:
        """Keep the lease and look for an end: every second of a process, and between processes."""
        if self._stop.is_set():
            raise _Stopped
        since = time.monotonic() - self._renewed
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
        self._renewed = time.monotonic()

    def _fail(self, job: ClaimedJob, error: str) -> None:
        error = error[:LONGEST_ERROR]
        with self._database.writing() as session:
            if finish_job(session, job, error) and job.kind in ("mark", "sit"):
                submission = session.get(Submission, job.subject)
                if submission is not None and submission.state != WITHDRAWN:
                    submission.state, submission.error = FAILED, error
                    if submission.marked is not None:  # it leaves the board
                        add_job(session, "board", submission.project_id)

    # The kinds of jobs.

    def _do(self, job: ClaimedJob) -> None:
        if job.attempt > MOST_ATTEMPTS:
            self._fail(job, f"marking it has ended {MOST_ATTEMPTS} workers; it is not tried again")
            return
        work = {
            "mark": self._mark,
            "sit": self._sit,
            "people": self._people,
            "board": self._board,
        }[job.kind]
        with tempfile.TemporaryDirectory(prefix="readmark-job-") as folder:
            work(job, Path(folder))

    def _confined(
        self,
        job: ClaimedJob,
        work: Callable[[Mapping[str, Any]], marker.MarkerReply],
        task: Mapping[str, Any],
        *,
        what: str,
        for_baseline: bool = False,
    ) -> marker.MarkerReply:
        """The reply of the process; its error is the line that the submitter reads."""
        limits = self._limits
        seconds = limits.baseline_seconds if for_baseline else limits.seconds
        memory = limits.baseline_memory if for_baseline else limits.memory
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        try:
            reply: marker.MarkerReply = run_confined(
                work,
                task,
                seconds=seconds,
                memory=memory,
                what=what,
                environment=bare_environment() | threads,
                watch=lambda: self._watch(job),
            )
            self._watch(job)
        except Late:
            return {"error": f"{what} took longer than {seconds:g} seconds"}
        except ProcessFailed as error:  # its last words may be of what is hidden
            raise _HallFault from error
        except DataError as error:
            LOG.error("a job's process failed", extra={"job": job.number})
            return {"error": error.message}
        return reply

    @contextmanager
    def _subject(self, job: ClaimedJob) -> Iterator[tuple[Session, Submission]]:
        with self._database.reading() as session:
            submission = session.get(Submission, job.subject)
            assert submission is not None
            yield session, submission

    def _mark(self, job: ClaimedJob, folder: Path) -> None:
        with self._subject(job) as (session, submission):
            task = open_task(session, submission.project_id, folder)
            content = file_content(session, submission.id, ANSWERS)
            phase, name = submission.phase, submission.file_name
            if content is None or submission.state != WAITING:
                with self._database.writing() as writing:
                    finish_job(writing, job)
                return
        answers = folder / "answers" / name
        answers.parent.mkdir()
        answers.write_bytes(content)
        (sheets := folder / "sheets").mkdir()
        splits = [split for split in task.splits if phase != "practice" or split not in task.hidden]
        reply = self._confined(
            job,
            marker.mark_submission,
            {**task.for_marker(), "files": [str(answers)], "splits": splits, "folder": str(sheets)},
            what="marking it",
        )
        if "error" in reply:
            self._fail(job, str(reply["error"]))
            return
        contents = {
            split: (sheets / part.pop("sheet")).read_bytes()
            for split, part in reply["splits"].items()
        }
        with self._database.writing() as session:
            if not finish_job(session, job):
                return
            stored = session.get(Submission, job.subject, with_for_update=True)
            if stored is None or stored.state != WAITING:
                return
            if is_waiting(session, "mark", job.subject):
                return  # it was to be marked again meanwhile, and will be
            for split, content in contents.items():
                store_file(session, stored.id, MARKSHEET, split, content)
            stored.state, stored.marked = MARKED, time.time()
            stored.marks = json.dumps(reply, ensure_ascii=False)
            add_job(session, "board", stored.project_id)

    def _sit(self, job: ClaimedJob, folder: Path) -> None:
        with self._subject(job) as (session, submission):
            task = open_task(session, submission.project_id, folder)
            candidate = submission.system
        reply = self._confined(
            job,
            marker.sit_baseline,
            {**task.for_marker(), "candidate": candidate, "folder": str(folder)},
            what="sitting it",
            for_baseline=True,
        )
        if "error" in reply:
            self._fail(job, str(reply["error"]))
            return
        content = (folder / reply["file"]).read_bytes()
        with self._database.writing() as session:
            if not finish_job(session, job):
                return
            stored = session.get(Submission, job.subject, with_for_update=True)
            if stored is None or stored.state != WAITING:
                return
            store_file(session, job.subject, ANSWERS, "", content)
            stored.size, stored.sha256 = len(content), hashlib.sha256(content).hexdigest()
            add_job(session, "mark", job.subject)

    def _people(self, job: ClaimedJob, folder: Path) -> None:
        with self._database.reading() as session:
            task = open_task(session, job.subject, folder)
            sittings = session.scalars(
                select(ProjectFile)
                .where(ProjectFile.project_id == job.subject, ProjectFile.role == PEOPLE)
                .order_by(ProjectFile.number)
                .options(undefer(ProjectFile.content))
            ).all()
        files = []
        for sitting in sittings:
            file = folder / f"people-{sitting.number}" / sitting.name
            file.parent.mkdir()
            file.write_bytes(sitting.content)
            files.append(str(file))
        reply = self._confined(
            job,
            marker.mark_people,
            {**task.for_marker(), "files": files, "folder": str(folder)},
            what="marking people",
        )
        with self._database.writing() as session:
            if not finish_job(session, job, str(reply.get("error", ""))):
                return
            card = reply.pop("card", None)
            _replace_file(session, job.subject, PEOPLE_MARKS, reply)
            if card is not None:
                _replace_file(session, job.subject, CARD_ROLE, card)
            add_job(session, "board", job.subject)

    def _board(self, job: ClaimedJob, folder: Path) -> None:
        def compared(split: str, metric: str, pairs: Sequence[tuple[str, str]]) -> list[Any]:
            """The comparisons of pairs of submissions, by their ids."""
            with self._database.reading() as session:
                task = open_task(session, job.subject, folder)
                for id in {id for pair in pairs for id in pair}:
                    content = file_content(session, id, MARKSHEET, split)
                    assert content is not None
                    (folder / f"{id}.jsonl.zst").write_bytes(content)
            files = [[str(folder / f"{id}.jsonl.zst") for id in pair] for pair in pairs]
            reply = self._confined(
                job,
                marker.compare_submissions,
                {
                    **task.for_marker(),
                    "split": split,
                    "metric": metric,
                    "pairs": files,
                    "folder": str(folder),
                },
                what="comparing submissions",
            )
            if "error" in reply:
                raise ReadmarkError(str(reply["error"]))
            comparisons: list[Any] = reply["comparisons"]
            return comparisons

        refresh_board(self._database, job.subject, compared)
        with self._database.writing() as session:
            if not finish_job(session, job):
                # Another worker may have made a newer board before this one was stored.
                add_job(session, "board", job.subject)


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


def _replace_file(session: Session, project_id: str, role: str, document: Any) -> None:
    """Keep a document as the only file of its role."""
    session.execute(
        delete(ProjectFile).where(ProjectFile.project_id == project_id, ProjectFile.role == role)
    )
    content = json.dumps(document, ensure_ascii=False).encode()
    session.add(ProjectFile(project_id=project_id, role=role, name=f"{role}.json", content=content))
