"""Local worker processes over one stream of records; only the parent journals.

A worker ends when its parent does, and may die: then the units that the candidate had in hand are
error rows, and what it was sent beside is given to the next worker.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

import msgspec

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.sitting import Row
from readmark.sitting.asking import Ask, Told, not_asked
from readmark.sitting.candidates import in_one_line
from readmark.sitting.messages import (
    Begin,
    End,
    Fatal,
    FromWorker,
    Said,
    Task,
    Took,
    Unscored,
    Want,
    receive,
    send,
)

AHEAD = 2
"""Records that a worker is sent ahead of need, so that it never waits."""
MOST_DEATHS = 3
"""Workers that may die one after another without an answer before the sitting gives up."""
ROWS_WAITING = 64
"""Rows that wait to be journalled: when a disk is slow, workers wait, and memory does not grow."""
GRACE = 5.0
"""Seconds that a worker has to end after its last word."""


class Crew:
    """Several workers over one stream of records; rows come back in any order."""

    def __init__(self, begin: Begin, workers: int, *, on_unscored: Told | None = None) -> None:
        self._begin = begin
        self._workers = workers
        self._on_unscored = on_unscored
        self._rows: queue.Queue[Row | BaseException | None] = queue.Queue(ROWS_WAITING)
        self._lock = threading.Lock()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._stopping = False

    def answer(self, asks: Iterable[Ask]) -> Iterator[Row]:
        """Every row; an error in reading the test or in a worker's candidate is raised here."""
        tasks = iter(asks)
        threads = [
            threading.Thread(target=self._attend, args=(tasks,), daemon=True)
            for _ in range(self._workers)
        ]
        for thread in threads:
            thread.start()
        try:
            ended = 0
            while ended < len(threads):
                item = self._rows.get()
                if item is None:
                    ended += 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
        finally:
            self._stop()

    def _attend(self, tasks: Iterator[Ask]) -> None:
        """Serve one worker after another until there is nothing more to ask."""
        deaths = 0
        again: deque[Ask] = deque()
        try:
            while (process := self._start()) is not None:
                served = self._serve(process, tasks, again)
                if served.ended or self._stopping:
                    return
                for unit in served.in_hand:
                    self._hand_on(Row(id=unit, error=_death(process.returncode)))
                again.extendleft(reversed(served.not_taken()))
                deaths = 0 if served.answered else deaths + 1
                if deaths >= MOST_DEATHS:
                    raise ReadmarkError("the candidate's worker processes die one after another")
        except BaseException as error:
            self._hand_on(error)
        finally:
            self._hand_on(None)

    def _hand_on(self, item: Row | BaseException | None) -> None:
        """Wait for room among the rows, unless nobody takes them any more."""
        while not self._stopping:
            with suppress(queue.Full):
                return self._rows.put(item, timeout=0.2)
        return None

    def _start(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._stopping:
                return None
            process = subprocess.Popen(
                # -P: a file in the current folder must not pass for a module of the same name.
                [sys.executable, "-P", "-m", "readmark.sitting.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                process_group=0,  # Ctrl-C is the parent's to handle
            )
            self._processes.append(process)
            return process

    def _serve(
        self, process: subprocess.Popen[bytes], tasks: Iterator[Ask], again: deque[Ask]
    ) -> Served:
        """Send a worker records and take its rows, to its end."""
        served = Served()

        def send_next() -> None:
            with self._lock:
                ask = again.popleft() if again else next(tasks, None)
            if ask is None:
                tell(End())
            else:
                served.sent.update(dict.fromkeys(ask.wanted, ask))
                tell(Task(msgspec.json.encode(ask.record), ask.wanted))

        def tell(message: msgspec.Struct) -> None:
            # A worker that died in the meantime may have left rows behind: go on and read them.
            if process.stdin is not None:
                with suppress(BrokenPipeError):
                    send(process.stdin, message)

        tell(self._begin)
        for _ in range(AHEAD):
            send_next()
        while process.stdout is not None:
            message = _next(process.stdout)
            if isinstance(message, Want):
                send_next()
            elif isinstance(message, Took):
                served.take(message.id)
            elif isinstance(message, Said):
                served.answer(message.id)
                self._hand_on(_row(message))
            elif isinstance(message, Unscored):
                if self._on_unscored is not None:
                    self._on_unscored(message.id)
            elif isinstance(message, Fatal):
                raise ReadmarkError(message.message)
            else:
                served.ended = message is not None
                break
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return served

    def _stop(self) -> None:
        with self._lock:
            self._stopping = True
        for process in self._processes:
            if process.poll() is None:
                process.kill()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            process.wait()


@dataclass
class Served:
    """What became of one worker: what it was sent, what it had in hand, how it went."""

    sent: dict[str, Ask] = field(default_factory=dict)
    """Units that the candidate has not taken yet, with the record that they belong to."""
    in_hand: dict[str, None] = field(default_factory=dict)
    answered: bool = False
    ended: bool = False
    """Whether the candidate said all that it would: a worker that just ends has died."""

    def take(self, id: str) -> None:
        """The candidate has a unit that the worker was sent."""
        if self.sent.pop(id, None) is None:
            raise not_asked(id)
        self.in_hand[id] = None

    def answer(self, id: str) -> None:
        """The candidate has answered a unit that it took."""
        if id not in self.in_hand:
            raise not_asked(id)
        del self.in_hand[id]
        self.answered = True

    def not_taken(self) -> list[Ask]:
        """What the worker was sent and never looked at."""
        left: dict[int, tuple[Ask, list[str]]] = {}
        for unit, ask in self.sent.items():
            left.setdefault(id(ask), (ask, []))[1].append(unit)
        return [Ask(ask.record, tuple(units)) for ask, units in left.values()]


def _next(stream: IO[bytes]) -> Any:
    try:
        return receive(stream, FromWorker)
    except msgspec.MsgspecError as error:
        raise ReadmarkError(
            f"a worker process said what is no message ({error}); does the candidate fork?"
        ) from None


def _row(said: Said) -> Row:
    try:
        return msgspec.json.decode(said.row, type=Row)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Row(id=said.id, error=f"the answer cannot be journalled: {in_one_line(error)}")


def _death(status: int) -> str:
    how = f"signal {-status}" if status < 0 else f"status {status}"
    return f"the worker process died ({how})"
