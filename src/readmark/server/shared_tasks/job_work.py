"""What each kind of job does: marking, sitting, people's marks, and boards.

What reads files that people sent runs in a confined process, without the database (`marker`). Its
reply is stored here, in the transaction that closes the job.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, undefer

from readmark.core.confinement import Late, ProcessFailed, bare_environment, run_confined
from readmark.core.errors import DataError, ReadmarkError
from readmark.server.boards.board import refresh_board
from readmark.server.database import Database
from readmark.server.shared_tasks import marker
from readmark.server.shared_tasks.data_card import CARD_ROLE
from readmark.server.shared_tasks.jobs import (
    MOST_ATTEMPTS,
    ClaimedJob,
    add_job,
    finish_job,
    is_waiting,
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
from readmark.server.tables import ProjectFile, Submission

LOG = logging.getLogger("readmark.hall")
LONGEST_ERROR = 2000
"""Characters of an error that are kept for the submitter."""


@dataclass(frozen=True)
class JobLimits:
    """What one job may take."""

    seconds: float = 120.0
    memory: int = 2 << 30
    baseline_seconds: float = 4 * 3600.0
    baseline_memory: int = 4 << 30


class HallFault(Exception):
    """A job failed through no fault of what was submitted."""


def fail_job(database: Database, job: ClaimedJob, error: str) -> None:
    """Close a job with an error; its submission, if it has one, has failed."""
    error = error[:LONGEST_ERROR]
    with database.writing() as session:
        if finish_job(session, job, error) and job.kind in ("mark", "sit"):
            submission = session.get(Submission, job.subject)
            if submission is not None and submission.state != WITHDRAWN:
                submission.state, submission.error = FAILED, error
                if submission.marked is not None:  # it leaves the board
                    add_job(session, "board", submission.project_id)


@dataclass(frozen=True)
class JobWork:
    """A job in hand, and what it is done with."""

    database: Database
    job: ClaimedJob
    limits: JobLimits
    watch: Callable[[], None]
    """Called every second of a process, and between processes: keeps the job, or ends the work by
    an exception."""

    def do(self) -> None:
        """Do the job and close it."""
        if self.job.attempt > MOST_ATTEMPTS:
            self._fail(f"marking it has ended {MOST_ATTEMPTS} workers; it is not tried again")
            return
        work = {
            "mark": self._mark,
            "sit": self._sit,
            "people": self._people,
            "board": self._board,
        }[self.job.kind]
        with tempfile.TemporaryDirectory(prefix="readmark-job-") as folder:
            work(Path(folder))

    def _fail(self, error: str) -> None:
        fail_job(self.database, self.job, error)

    def _confined(
        self,
        work: Callable[[Mapping[str, Any]], marker.MarkerReply],
        task: Mapping[str, Any],
        *,
        what: str,
        for_baseline: bool = False,
    ) -> marker.MarkerReply:
        """The reply of the process; its error is the line that the submitter reads."""
        limits = self.limits
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
                watch=self.watch,
            )
            self.watch()
        except Late:
            return {"error": f"{what} took longer than {seconds:g} seconds"}
        except ProcessFailed as error:  # its last words may be of what is hidden
            raise HallFault from error
        except DataError as error:
            LOG.error("a job's process failed", extra={"job": self.job.number})
            return {"error": error.message}
        return reply

    @contextmanager
    def _submission(self) -> Iterator[tuple[Session, Submission]]:
        """The submission that the job is about, in a session that reads."""
        with self.database.reading() as session:
            submission = session.get(Submission, self.job.subject)
            assert submission is not None
            yield session, submission

    def _mark(self, folder: Path) -> None:
        """Mark a submission, in practice on the public splits; a new board follows."""
        with self._submission() as (session, submission):
            task = open_task(session, submission.project_id, folder)
            content = file_content(session, submission.id, ANSWERS)
            phase, name = submission.phase, submission.file_name
            if content is None or submission.state != WAITING:
                with self.database.writing() as writing:
                    finish_job(writing, self.job)
                return
        answers = folder / "answers" / name
        answers.parent.mkdir()
        answers.write_bytes(content)
        (sheets := folder / "sheets").mkdir()
        splits = [split for split in task.splits if phase != "practice" or split not in task.hidden]
        reply = self._confined(
            marker.mark_submission,
            {**task.for_marker(), "files": [str(answers)], "splits": splits, "folder": str(sheets)},
            what="marking it",
        )
        if "error" in reply:
            self._fail(str(reply["error"]))
            return
        contents = {
            split: (sheets / part.pop("sheet")).read_bytes()
            for split, part in reply["splits"].items()
        }
        with self.database.writing() as session:
            if not finish_job(session, self.job):
                return
            stored = session.get(Submission, self.job.subject, with_for_update=True)
            if stored is None or stored.state != WAITING:
                return
            if is_waiting(session, "mark", self.job.subject):
                return  # it was to be marked again meanwhile, and will be
            for split, content in contents.items():
                store_file(session, stored.id, MARKSHEET, split, content)
            stored.state, stored.marked = MARKED, time.time()
            stored.marks = json.dumps(reply, ensure_ascii=False)
            add_job(session, "board", stored.project_id)

    def _sit(self, folder: Path) -> None:
        """Let a baseline sit the whole paper; its submission is marked next."""
        with self._submission() as (session, submission):
            task = open_task(session, submission.project_id, folder)
            candidate = submission.system
        reply = self._confined(
            marker.sit_baseline,
            {**task.for_marker(), "candidate": candidate, "folder": str(folder)},
            what="sitting it",
            for_baseline=True,
        )
        if "error" in reply:
            self._fail(str(reply["error"]))
            return
        content = (folder / reply["file"]).read_bytes()
        with self.database.writing() as session:
            if not finish_job(session, self.job):
                return
            stored = session.get(Submission, self.job.subject, with_for_update=True)
            if stored is None or stored.state != WAITING:
                return
            store_file(session, self.job.subject, ANSWERS, "", content)
            stored.size, stored.sha256 = len(content), hashlib.sha256(content).hexdigest()
            add_job(session, "mark", self.job.subject)

    def _people(self, folder: Path) -> None:
        """Make people's marks and the data card anew; a new board follows."""
        with self.database.reading() as session:
            task = open_task(session, self.job.subject, folder)
            sittings = session.scalars(
                select(ProjectFile)
                .where(ProjectFile.project_id == self.job.subject, ProjectFile.role == PEOPLE)
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
            marker.mark_people,
            {**task.for_marker(), "files": files, "folder": str(folder)},
            what="marking people",
        )
        with self.database.writing() as session:
            if not finish_job(session, self.job, str(reply.get("error", ""))):
                return
            # A reply with an error has no splits: people's row leaves the board.
            card = reply.pop("card", None)
            _replace_file(session, self.job.subject, PEOPLE_MARKS, reply)
            if card is not None:
                _replace_file(session, self.job.subject, CARD_ROLE, card)
            add_job(session, "board", self.job.subject)

    def _board(self, folder: Path) -> None:
        """Make the board anew; pairs of submissions are compared as it asks for them."""

        def compared(split: str, metric: str, pairs: Sequence[tuple[str, str]]) -> list[Any]:
            """The comparisons of pairs of submissions, by their ids."""
            with self.database.reading() as session:
                task = open_task(session, self.job.subject, folder)
                for id in {id for pair in pairs for id in pair}:
                    content = file_content(session, id, MARKSHEET, split)
                    assert content is not None
                    (folder / f"{id}.jsonl.zst").write_bytes(content)
            files = [[str(folder / f"{id}.jsonl.zst") for id in pair] for pair in pairs]
            reply = self._confined(
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

        refresh_board(self.database, self.job.subject, compared)
        with self.database.writing() as session:
            if not finish_job(session, self.job):
                # Another worker may have made a newer board before this one was stored.
                add_job(session, "board", self.job.subject)


def _replace_file(session: Session, project_id: str, role: str, document: Any) -> None:
    """Keep a document as the only file of its role."""
    session.execute(
        delete(ProjectFile).where(ProjectFile.project_id == project_id, ProjectFile.role == role)
    )
    content = json.dumps(document, ensure_ascii=False).encode()
    session.add(ProjectFile(project_id=project_id, role=role, name=f"{role}.json", content=content))
