"""Worker processes over one stream of records; only the parent journals.

A worker stays for all repeats, so that its candidate is loaded once. It ends when its parent does,
and may die, stop answering or damage its pipe: then it is replaced. A unit that the candidate had
alone in hand is an error row, units that it had together are asked again one by one, and what it
had not taken goes to the next worker. That is why this is no use of `core.processes.ordered_map`,
which gives up when one of its processes dies.

A crew reaches its workers by lines: `pipes` has those to processes of this machine, `relay` those
to the same processes on the nodes of a Ray cluster.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import msgspec

from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError
from readmark.core.sitting import Row
from readmark.sitting.messages import (
    AnswerMessage,
    End,
    Fatal,
    Left,
    Ready,
    Repeat,
    TaskMessage,
    Took,
    Unscored,
    Want,
)
from readmark.sitting.requests import Ask, OnUnit, unrequested_answer

AHEAD = 2
"""Records that a worker is sent ahead of need, so that it never waits."""
MOST_DEATHS = 3
"""Workers that may die one after another without an answer before the sitting gives up."""
ROWS_WAITING = 64
"""Rows that wait to be journalled: when a disk is slow, workers wait, and memory does not grow."""
STOP_SECONDS = 5.0
"""Seconds that each thread of a crew has to end; they are daemons, so none holds up the exit."""


class Line(Protocol):
    """The way to a worker that has begun; neither sending nor receiving waits longer than asked."""

    silent: bool
    """Whether the worker sent nothing for as long as it was given."""
    lost: bool
    """Whether the worker went with the machine or the process that it was reached through."""

    def send(self, message: Repeat | TaskMessage | End) -> None:
        """Send now, or while receiving: a worker may be busy with something else."""

    def receive(self, seconds: float | None) -> Any:
        """The next message, or None: the worker is gone, or so long ``silent``."""

    def failure(self) -> str:
        """Why a worker that is gone without being ``silent`` did not end well."""

    def end(self, *, wait: bool) -> None:
        """End the worker and what it started; with ``wait`` it has some seconds to do so itself."""

    def stop(self) -> None:
        """End the worker at once, while another thread may be receiving."""


OpenLine = Callable[[Callable[[], bool]], Line | None]
"""Begins a worker; gives up with None when the function that it is given says no to waiting on."""


@dataclass
class Pool:
    """The workers of a sitting that wait for its next repeat."""

    open_line: OpenLine
    waiting: list[Line] = field(default_factory=list)

    def take(self, is_needed: Callable[[], bool]) -> Line | None:
        """A worker that waits, or a new one; None when none is needed any more.

        One that waits may have the room that a new one would wait for.
        """
        while is_needed():
            with suppress(IndexError):
                return self.waiting.pop()
            line = self.open_line(lambda: is_needed() and not self.waiting)
            if line is not None:
                return line
        return None

    def close(self) -> None:
        """End those that wait, all at once."""
        with ThreadPoolExecutor(len(self.waiting) or 1) as threads:
            list(threads.map(lambda line: line.end(wait=True), self.waiting))


class Crew:
    """Several workers over the records of a repeat; rows come back in any order.

    With ``unit_timeout`` a worker whose candidate does nothing for so many seconds is replaced.
    ``ahead`` is how many records a worker is sent ahead of need.
    """

    def __init__(
        self,
        pool: Pool,
        workers: int,
        *,
        repeat: int = 0,
        ahead: int = AHEAD,
        unit_timeout: float | None = None,
        on_unscored: OnUnit | None = None,
    ) -> None:
        self._pool = pool
        self._workers = workers
        self._repeat = repeat
        self._ahead = ahead
        self._unit_timeout = unit_timeout
        self._on_unscored = on_unscored
        self._rows: queue.Queue[Row | BaseException | None] = queue.Queue(ROWS_WAITING)
        """Rows of all threads; an error is the last item of a thread that fails, then None."""
        self._lock = threading.Lock()
        """For taking the next record, and for the lines in use."""
        self._lines: set[Line] = set()
        self._exhausted = False
        self._stopping = False

    def answer(self, asks: Iterable[Ask]) -> Generator[Row, None, None]:
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
            with self._lock:
                self._stopping = True
                for line in self._lines:
                    line.stop()
            for thread in threads:
                thread.join(STOP_SECONDS)

    def _attend(self, tasks: Iterator[Ask]) -> None:
        """Serve one worker after another until there is nothing more to ask."""
        deaths = 0
        again: deque[Ask] = deque()
        """Records that a worker which died was to answer: only this thread asks them again."""
        try:
            while (load := self._serve(tasks, again)) is not None:
                if load.ended or self._stopping:
                    return
                blamed = load.blamed()
                if blamed is not None:
                    self._hand_on(Row(id=blamed, error=load.failure))
                again.extendleft(reversed([*load.suspects(), *load.not_taken()]))
                if load.answered:
                    deaths = 0
                elif not load.in_hand or (blamed and self._unit_timeout is None):
                    deaths += 1
                if deaths >= MOST_DEATHS:
                    raise ReadmarkError(
                        f"the candidate's worker processes die one after another: {load.failure}"
                    )
                if load.asked_all and not again:
                    return
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

    def _serve(self, tasks: Iterator[Ask], again: deque[Ask]) -> Workload | None:
        """Take a worker, send it records and take its rows, until there are no more."""
        line = self._pool.take(lambda: not self._stopping and bool(again or not self._exhausted))
        if line is None:
            return None
        with self._lock:
            self._lines.add(line)
        load = Workload()
        try:
            if self._stopping:
                return None
            self._converse(line, load, tasks, again)
            if not load.ended:
                if line.lost:
                    load.lose()
                if line.silent:
                    what = "answer" if load.in_hand else "unit taken"
                    load.failure = f"no {what} within {self._unit_timeout:g} s"
                else:
                    load.failure = line.failure()
        finally:
            # A candidate that stops early may have a thread that takes the other units later on.
            stays = load.ended and not load.sent
            if not stays:
                line.end(wait=load.ended)
            with self._lock:
                self._lines.discard(line)
            if stays:
                self._pool.waiting.append(line)
        return load

    def _converse(
        self, line: Line, load: Workload, tasks: Iterator[Ask], again: deque[Ask]
    ) -> None:
        """Send records and take messages until the worker has no more, or cannot be heard."""

        def send_next() -> None:
            with self._lock:
                ask = again.popleft() if again else next(tasks, None)
                self._exhausted |= ask is None
            if ask is None:
                line.send(End())
                load.asked_all = True
            else:
                load.send(ask)
                line.send(TaskMessage(msgspec.json.encode(ask.record), ask.wanted, ask.alone))

        line.send(Repeat(self._repeat))
        not_taken = 0  # records that the worker was sent and has not taken
        limit = None  # until it is ready: loading a model is no unit
        while True:
            while not_taken < self._ahead and not load.asks_alone and not load.asked_all:
                send_next()
                not_taken += 1
            message = line.receive(limit)
            if message is None:
                return
            if isinstance(message, Ready):
                limit = self._unit_timeout
            elif isinstance(message, Want):
                not_taken -= 1
            elif isinstance(message, Took):
                load.take(message.id)
            elif isinstance(message, AnswerMessage):
                load.answer(message.id)
                self._hand_on(_row(message))
            elif isinstance(message, Left):
                load.leave(message.id)
            elif isinstance(message, Unscored):
                if self._on_unscored is not None:
                    self._on_unscored(message.id)
            elif isinstance(message, Fatal):
                raise ReadmarkError(message.message)
            else:
                load.ended = True
                return


@dataclass
class Workload:
    """What one worker was sent, what it has in hand, and how it ended."""

    sent: dict[str, Ask] = field(default_factory=dict)
    """Units that the candidate has not taken yet, with the record that they belong to."""
    in_hand: dict[str, Ask] = field(default_factory=dict)
    """Units that it has taken and not answered."""
    answered: bool = False
    asked_all: bool = False
    """Whether the worker was told that there are no more records."""
    ended: bool = False
    """Whether the candidate answered all that it would: a worker that just ends has died."""
    failure: str = ""
    """Why a worker that did not end well is replaced."""
    lost: bool = False
    """Whether what it ran on was lost: that is no unit's fault unless it happens again."""
    asks_alone: bool = False
    """Whether it has a unit to answer alone, and is sent nothing else meanwhile."""

    def send(self, ask: Ask) -> None:
        """The worker is sent a record."""
        self.sent.update(dict.fromkeys(ask.wanted, ask))
        self.asks_alone = ask.alone

    def take(self, id: str) -> None:
        """The candidate takes a unit that the worker was sent."""
        ask = self.sent.pop(id, None)
        if ask is None:
            raise unrequested_answer(id)
        self.in_hand[id] = ask

    def answer(self, id: str) -> None:
        """The candidate answers a unit that it took."""
        self.leave(id)
        self.answered = True

    def leave(self, id: str) -> None:
        """The candidate is done with a unit that it took."""
        ask = self.in_hand.pop(id, None)
        if ask is None:
            raise unrequested_answer(id)
        if ask.alone:
            self.asks_alone = False

    def lose(self) -> None:
        """The worker is lost with its last messages: it may have taken all that it was sent."""
        self.lost = True
        self.in_hand |= self.sent
        self.sent.clear()

    def blamed(self) -> str | None:
        """The unit that the worker failed on, where that is certain."""
        if len(self.in_hand) != 1:
            return None
        [(unit, ask)] = self.in_hand.items()
        return unit if ask.alone or not self.lost else None

    def suspects(self) -> list[Ask]:
        """Units that were in hand together; asked alone, each shows whether it was the cause."""
        if self.blamed() is not None:
            return []
        return [Ask(ask.record, (unit,), alone=True) for unit, ask in self.in_hand.items()]

    def not_taken(self) -> list[Ask]:
        """What the worker was sent and never looked at."""
        by_record: dict[int, tuple[Ask, list[str]]] = {}
        for unit, ask in self.sent.items():
            by_record.setdefault(id(ask), (ask, []))[1].append(unit)
        return [replace(ask, wanted=tuple(units)) for ask, units in by_record.values()]


def _row(message: AnswerMessage) -> Row:
    try:
        return msgspec.json.decode(message.row, type=Row)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Row(id=message.id, error=f"the answer cannot be journalled: {error_line(error)}")
