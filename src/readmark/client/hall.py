"""``readmark.Client``: what a program does in an exam hall, with a token in place of a browser."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from readmark.client.answer_sender import AnswerSender, OpenSitting
from readmark.client.connection import (
    TOKEN_VARIABLE,
    ClientError,
    ClientLimits,
    Connection,
    require_size,
)
from readmark.client.reading_tasks import ReadingTaskServices
from readmark.client.request_bodies import form_body, json_body
from readmark.client.results import (
    HallBoard,
    HallSitting,
    HallSubmission,
    HallSubmissions,
    HallTask,
    HallTasks,
    harmless,
    read_reply,
)
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Sitting
from readmark.core.streams import readable_file, shown_name
from readmark.core.writing import writing
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.sitting import CandidateInput, RunProgress, SatResult, SitSettings, Watch, sit

AnswersToSubmit = str | Path | SatResult | Sitting | Mapping[str, Any]
"""What can be submitted: a file of answers, a sitting, or a dictionary of answers by their ids."""

FIRST_LOOK, LONGEST_LOOK = 0.2, 5.0
"""Seconds between two looks at a submission that is being marked."""
BOARD_PATIENCE = 300.0
"""Seconds after marking in which marks are released, since a board is made first."""


class Client:
    """An exam hall by its address, such as ``https://hall.example.org``.

    ``token`` is an API token of the hall, by default that of the environment's READMARK_TOKEN.
    ``allow_http`` sends it without encryption too. ``limits`` are for time, size and attempts.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        limits: ClientLimits | None = None,
        allow_http: bool = False,
    ) -> None:
        token = token or os.environ.get(TOKEN_VARIABLE) or None
        self._hall = Connection(address, token, limits=limits, allow_http=allow_http)
        self.reading_tasks = ReadingTaskServices(self._hall)
        """The services of formal reading tasks."""

    @property
    def address(self) -> str:
        """The address of the hall."""
        return self._hall.address

    def __repr__(self) -> str:
        return f"<Client of {self.address}{' with a token' if self._hall.token else ''}>"

    def tasks(self) -> HallTasks:
        """The shared tasks that you may see."""
        return read_reply(self._get("/api/tasks"), HallTasks)

    def task(self, task: str) -> HallTask:
        """A shared task by the name in its address."""
        return read_reply(self._get(_task(task)), HallTask)

    def download(
        self, task: str, path: str | Path, *, split: str | None = None, paper: bool = False
    ) -> Path:
        """Write the public test of a task to a file: papers that are out, keys of public splits.

        With ``paper`` no keys at all, as a candidate sees it.
        """
        query = {} if split is None else {"split": split}
        query |= {"paper": "true"} if paper else {}
        with writing(path) as stream:
            self._hall.save(f"{_task(task)}/data", stream, query=query)
        return Path(path)

    def board(self, task: str, version: int | None = None) -> HallBoard:
        """The board of a task, or an earlier version of it."""
        path = f"{_task(task)}/board" + ("" if version is None else f"/{version}")
        document = read_reply(self._get(path), dict[str, Any])
        if version is None and isinstance(number := document.get("version"), int) and number:
            path = f"{path}/{number}"  # a newer one may be made meanwhile
        texts = [
            harmless(self._hall.fetch("GET", path, accept=kind)[1].decode("utf-8", "replace"))
            for kind in ("text/markdown", "text/csv")
        ]
        return HallBoard(task, document, *texts)

    def submit(
        self,
        task: str,
        answers: AnswersToSubmit,
        *,
        system: str | None = None,
        description: str = "",
        ensemble: bool = False,
        wait: bool = True,
        key: str | None = None,
        watch: Callable[[HallSubmission], None] | None = None,
    ) -> HallSubmission:
        """Submit answers to a task, and wait for the marks unless ``wait`` is false.

        ``answers`` are a file in any format of sittings, a sitting, or a dictionary. ``system`` is
        its name on the board, by default the file's. The same answers of the same system are
        submitted once, however often this is called, since the ``key`` of the request is made of
        them; a key of your own, such as ``uuid4().hex``, submits them again. ``watch`` is called
        with every state while this waits.
        """
        with _as_file(answers) as (file, name):
            require_size(file, self._hall.limits)
            system = system or Path(name).stem
            submitted = client_key(task, system, file) if key is None else key
            fields = {
                "system": system,
                "description": description,
                "is_ensemble": "true" if ensemble else "false",
                "key": submitted,
            }
            status, document = self._hall.ask(
                "POST", f"{_task(task)}/submissions", body=form_body(fields, name, file)
            )
        state = replace(read_reply(document, HallSubmission), is_new=status == 201)
        return self.wait(state, watch=watch) if wait else state

    def submission(self, task: str, submission: str) -> HallSubmission:
        """A submission by its id."""
        return read_reply(self._get(_submission(task, submission)), HallSubmission)

    def submissions(self, task: str) -> HallSubmissions:
        """Your team's submissions to a task; all of them for an organiser."""
        return read_reply(self._get(f"{_task(task)}/submissions"), HallSubmissions)

    def withdraw(self, task: str, submission: str) -> HallSubmission:
        """Take a submission off the board for good."""
        _, document = self._hall.ask("DELETE", _submission(task, submission))
        if document is None:
            return self.submission(task, submission)
        return read_reply(document, HallSubmission)

    def wait(
        self,
        submission: HallSubmission,
        *,
        seconds: float = 3600.0,
        watch: Callable[[HallSubmission], None] | None = None,
    ) -> HallSubmission:
        """Wait until a submission is marked or has failed, for so many ``seconds`` at most."""
        end, pause, state = time.monotonic() + seconds, FIRST_LOOK, submission
        released_by = None
        while state.state == "waiting" or (state.state == "marked" and not state.splits):
            moment = time.monotonic()
            if watch is not None:
                watch(state)
            if state.state == "marked":
                released_by = released_by or moment + BOARD_PATIENCE
                if moment > released_by:
                    break
            if moment >= end:
                raise ClientError(
                    f"{self.address}: submission {state.number} is not marked after {seconds:g} "
                    "seconds; it stays in the hall's queue"
                )
            time.sleep(pause)
            pause = min(1.5 * pause, LONGEST_LOOK)
            looked = self.submission(state.task, state.submission)
            state = replace(looked, is_new=submission.is_new)
        return state

    def sit(
        self,
        task: str,
        candidate: CandidateInput,
        *,
        system: str | None = None,
        description: str = "",
        ensemble: bool = False,
        errors_as_wrong: bool = False,
        wait: bool = True,
        key: str | None = None,
        settings: SitSettings | None = None,
        watch: Watch | None = None,
    ) -> HallSitting:
        """Let a candidate sit a task: the paper comes from the hall, and answers go there.

        ``candidate``, ``settings`` and ``watch`` are what `readmark.sit` takes. Answers are stored
        in the hall every two seconds, and the same call resumes; in another phase it begins anew.
        Then the sitting is handed in; with error rows it stays open for another try, unless
        ``errors_as_wrong``, and so it does with a ``limit``.
        """
        system = system or (candidate if isinstance(candidate, str) else _name_of(candidate))
        about = {"system": system, "description": description, "is_ensemble": ensemble}
        path = f"{_task(task)}/sittings"

        def begin(key: str) -> tuple[int, OpenSitting]:
            status, document = self._hall.ask("POST", path, body=json_body({**about, "key": key}))
            return status, read_reply(document, OpenSitting)

        status, opened = begin(_digest("sit", task, system) if key is None else key)
        if key is None and status != 201 and opened.state != "open":
            with contextlib.suppress(ClientError):  # a token that may only submit does not see it
                phase = self.task(task).phase
                if phase is not None and phase != opened.phase:  # each has a sitting of its own
                    status, opened = begin(_digest("sit", task, system, phase))
        path = f"{path}/{quote(opened.submission, safe='')}"
        sender = AnswerSender(self._hall, path, opened.answered)
        errors, notes = 0, tuple[str, ...]()
        if opened.state == "open" and opened.answered < opened.units:
            with tempfile.TemporaryDirectory(prefix="readmark-sitting-") as folder:
                errors, notes = self._answer(path, Path(folder), candidate, settings, watch, sender)
        is_whole = settings is None or settings.limit is None
        if opened.state == "open" and is_whole and (not errors or errors_as_wrong):
            _, document = self._hall.ask("POST", f"{path}/finish", body=json_body({}))
            state = read_reply(document, HallSubmission)
        else:
            state = self.submission(task, opened.submission)
        state = replace(state, is_new=status == 201)
        if wait and state.state != "open":
            state = self.wait(state)
        return HallSitting(state, opened.units, sender.answered, errors, notes)

    def _answer(
        self,
        path: str,
        folder: Path,
        candidate: CandidateInput,
        settings: SitSettings | None,
        watch: Watch | None,
        sender: AnswerSender,
    ) -> tuple[int, tuple[str, ...]]:
        """Let a candidate answer what is not answered yet; the number of errors, and notes."""
        paper = folder / "paper"
        with paper.open("wb") as stream:
            kind = self._hall.save(f"{path}/units", stream, query={"unanswered": "true"})
        suffix = ".zip" if kind == "application/zip" else ".jsonl"
        test = open_test(paper.rename(paper.with_suffix(suffix)))
        journal = folder / "sitting.jsonl"

        def send(progress: RunProgress) -> None:
            sender.follow(journal)
            if watch is not None:
                watch(progress)

        try:
            result = sit(test, candidate, journal, settings, watch=send)
        finally:
            if journal.exists():
                sender.follow(journal, at_once=True)
        return result.errors, result.notes

    def _get(self, path: str) -> Any:
        return self._hall.ask("GET", path)[1]


def client_key(task: str, system: str, file: Path) -> str:
    """The key of a request: the same for the same answers of the same system to the same task."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return _digest("file", task, system, digest.hexdigest())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _name_of(candidate: Any) -> str:
    return str(getattr(candidate, "__name__", type(candidate).__name__)).strip("<>")


def _task(task: str) -> str:
    if not task:
        raise UsageError("which task? its name is in the address of its page")
    return f"/api/tasks/{quote(task, safe='')}"


def _submission(task: str, submission: str) -> str:
    return f"{_task(task)}/submissions/{quote(submission, safe='')}"


@contextlib.contextmanager
def _as_file(answers: AnswersToSubmit) -> Iterator[tuple[Path, str]]:
    """The answers as a file, and its name."""
    if isinstance(answers, (str, Path, SatResult)):
        path = os.fspath(answers)
        file = readable_file(path)
        if not file.is_file():
            raise DataError("no such file", file=path)
        yield file, shown_name(path)
        return
    with tempfile.TemporaryDirectory(prefix="readmark-answers-") as folder:
        if isinstance(answers, Sitting):
            file = Path(folder) / "sitting.jsonl"
            NATIVE_SITTING.write_sitting(answers, file)
        else:
            file = Path(folder) / "answers.json"
            file.write_bytes(msgspec.json.encode(dict(answers)))
        yield file, file.name
