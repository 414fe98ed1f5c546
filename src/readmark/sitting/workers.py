"""Worker processes over one stream of records; only the parent journals.

A worker stays for all repeats, so that its candidate is loaded once. It ends when its parent does,
and may die, stop answering or damage its pipe: then it is replaced. A unit that the candidate had
alone in hand is an error row, units that it had together are asked again one by one, and what it
had not taken goes to the next worker. That is why this is no use of `core.processes.ordered_map`,
which gives up when one of its processes dies.

A crew reaches its workers by lines. Those here are pipes to processes of this machine; those of
`cluster` reach the same processes on the nodes of a Ray cluster.
"""

from __future__ import annotations

import os
import queue
import secrets
import selectors
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import IO, Any, Protocol

import msgspec

from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError
from readmark.core.sitting import Row
from readmark.sitting.messages import (
    LOST,
    AnswerMessage,
    Begin,
    Close,
    End,
    Fatal,
    FromWorker,
    Inbox,
    Left,
    Ready,
    Repeat,
    TaskMessage,
    Took,
    Unscored,
    Want,
    frame,
)
from readmark.sitting.requests import Ask, OnUnit, unrequested_answer

AHEAD = 2
"""Records that a worker is sent ahead of need, so that it never waits."""
MOST_DEATHS = 3
"""Workers that may die one after another without an answer before the sitting gives up."""
ROWS_WAITING = 64
"""Rows that wait to be journalled: when a disk is slow, workers wait, and memory does not grow."""
GRACE = 5.0
"""Seconds that a worker has to end after its last message."""
TERM_GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""
POLL = 0.2
"""Seconds after which a silent worker is looked at: a process it forked may keep its pipe open."""
_CHUNK = 1 << 16
_CHUNKS = 16  # that are read ahead of need
MARK = 8
"""Random bytes that the messages of a worker begin with."""


class Line(Protocol):
    """The way to a worker that has begun; neither sending nor receiving waits longer than asked."""

    silent: bool
    """Whether the worker said nothing for as long as it was given."""
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

    def end(self) -> None:
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
        self._lock = threading.Lock()
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
            self._stop(threads)

    def _attend(self, tasks: Iterator[Ask]) -> None:
        """Serve one worker after another until there is nothing more to ask."""
        deaths = 0
        again: deque[Ask] = deque()
        try:
            while (served := self._serve(tasks, again)) is not None:
                if served.ended or self._stopping:
                    return
                blamed = served.blamed()
                if blamed is not None:
                    self._hand_on(Row(id=blamed, error=served.failure))
                again.extendleft(reversed([*served.suspects(), *served.not_taken()]))
                if served.answered:
                    deaths = 0
                elif not served.in_hand or (blamed and self._unit_timeout is None):
                    deaths += 1
                if deaths >= MOST_DEATHS:
                    raise ReadmarkError(
                        f"the candidate's worker processes die one after another: {served.failure}"
                    )
                if served.asked_all and not again:
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

    def _serve(self, tasks: Iterator[Ask], again: deque[Ask]) -> Served | None:
        """Take a worker, send it records and take its rows, until there are no more."""
        line = self._pool.take(lambda: not self._stopping and bool(again or not self._exhausted))
        if line is None:
            return None
        with self._lock:
            self._lines.add(line)
        served = Served()
        try:
            if self._stopping:
                return None
            self._converse(line, served, tasks, again)
            if not served.ended:
                if line.lost:
                    served.lose()
                served.failure = self._failure(line, served)
        finally:
            # A candidate that stops early may have a thread that takes the other units later on.
            stays = served.ended and not served.sent
            if not stays:
                line.end(wait=served.ended)
            with self._lock:
                self._lines.discard(line)
            if stays:
                self._pool.waiting.append(line)
        return served

    def _converse(
        self, line: Line, served: Served, tasks: Iterator[Ask], again: deque[Ask]
    ) -> None:
        """Until a worker has nothing more to say, or nothing that can be listened to."""

        def send_next() -> None:
            with self._lock:
                ask = again.popleft() if again else next(tasks, None)
                self._exhausted |= ask is None
            if ask is None:
                line.send(End())
                served.asked_all = True
            else:
                served.send(ask)
                line.send(TaskMessage(msgspec.json.encode(ask.record), ask.wanted, ask.alone))

        line.send(Repeat(self._repeat))
        waiting = 0  # records that the worker has not taken
        limit = None  # loading a model is no unit
        while True:
            while waiting < self._ahead and not served.asks_alone and not served.asked_all:
                send_next()
                waiting += 1
            message = line.receive(limit)
            if message is None:
                return
            if isinstance(message, Ready):
                limit = self._unit_timeout
            elif isinstance(message, Want):
                waiting -= 1
            elif isinstance(message, Took):
                served.take(message.id)
            elif isinstance(message, AnswerMessage):
                served.answer(message.id)
                self._hand_on(_row(message))
            elif isinstance(message, Left):
                served.leave(message.id)
            elif isinstance(message, Unscored):
                if self._on_unscored is not None:
                    self._on_unscored(message.id)
            elif isinstance(message, Fatal):
                raise ReadmarkError(message.message)
            else:
                served.ended = True
                return

    def _failure(self, line: Line, served: Served) -> str:
        """Why a worker that did not end well is replaced."""
        if not line.silent:
            return line.failure()
        what = "answer" if served.in_hand else "unit taken"
        return f"no {what} within {self._unit_timeout:g} s"

    def _stop(self, threads: Iterable[threading.Thread]) -> None:
        with self._lock:
            self._stopping = True
            for line in self._lines:
                line.stop()
        for thread in threads:
            thread.join(GRACE)


class Pipes:
    """The line to a worker process of this machine, which it starts."""

    lost = False

    def __init__(self, begin: Begin) -> None:
        self._process = process = subprocess.Popen(
            # -P: a file in the current folder must not pass for a module of the same name.
            [sys.executable, "-P", "-m", "readmark.sitting.worker"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C is the parent's, and all that the worker starts ends with it
        )
        if process.stdin is None or process.stdout is None:
            raise ReadmarkError("a worker process has no pipes")
        self.silent = False
        self._ends = (SelectedEnds if SELECTS_PIPES else ThreadedEnds)(
            process.stdin, process.stdout
        )
        mark = secrets.token_bytes(MARK)
        self._inbox = Inbox(mark, FromWorker)
        self.send(msgspec.structs.replace(begin, mark=mark))

    def send(self, message: msgspec.Struct) -> None:
        """Send now, or while receiving: a worker may be busy with something else."""
        self._ends.send(frame(message))

    def receive(self, seconds: float | None) -> Any:
        """The next message, or None: the worker is gone, ``damaged``, or so long ``silent``."""
        end = None if seconds is None else monotonic() + seconds
        while not self._inbox.messages:
            if self._inbox.damaged:
                return None
            wait = POLL if end is None else min(POLL, max(0.0, end - monotonic()))
            # A process that the worker forked may keep the pipe open after its death.
            if self._ends.wait(wait) or self._process.poll() is not None:
                data = self._ends.read()
                if data is None and self._process.poll() is None:
                    continue
                if not data:
                    return None
                self._inbox.feed(data)
            elif end is not None and monotonic() >= end:
                self.silent = True
                return None
        return self._inbox.messages.popleft()

    @classmethod
    def open(cls, begin: Begin, is_needed: Callable[[], bool]) -> Pipes | None:
        """Start a worker, if it is needed."""
        return cls(begin) if is_needed() else None

    def received(self) -> Iterator[Any]:
        """The messages that have come already."""
        while self._inbox.messages:
            yield self._inbox.messages.popleft()

    def failure(self) -> str:
        """Why the worker did not end well."""
        if self._inbox.damaged:
            return "the candidate wrote into the pipe of its worker process"
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(TERM_GRACE)
            if status != LOST:
                how = f"signal {-status}" if status < 0 else f"status {status}"
                return f"the worker process died ({how})"
        return "the candidate closed the pipe of its worker process"

    def end(self, *, wait: bool) -> None:
        """End the worker and what it started, whatever signals they ignore; close the pipes."""
        if wait:
            self.send(Close())
            while self.receive(GRACE) is not None:  # what was not sent yet goes before it
                pass
        if self.silent:
            self._signal("SIGTERM")
        if wait or self.silent:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(TERM_GRACE if self.silent else GRACE)
        self.stop()
        with suppress(subprocess.TimeoutExpired):  # the system may not let it go yet
            self._process.wait(GRACE)
        self._ends.close()

    def stop(self) -> None:
        """End the worker and what it started at once."""
        self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        """To the worker and to every process of its group, also when it is dead itself."""
        if sys.platform == "win32":  # no groups and one way to end: with what it started, if alive
            with suppress(OSError):
                tree = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
                subprocess.run(tree, capture_output=True, check=False)
            self._process.kill()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, getattr(signal, name))
        self._process.send_signal(getattr(signal, name))


SELECTS_PIPES = os.name != "nt"
"""Whether the system can wait for one of several pipes, as Windows does for sockets alone."""


class SelectedEnds:
    """The ends of a worker's pipes: neither blocks, and one call waits for both."""

    def __init__(self, to: IO[bytes], come: IO[bytes]) -> None:
        self._to, self._from = to, come
        for stream in (to, come):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(come, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._waiting = False

    def send(self, data: bytes) -> None:
        """Send now, or while waiting."""
        self._unsent += data
        self._write()

    def wait(self, seconds: float) -> bool:
        """Whether something came within some seconds, or the other end was closed."""
        ready = {key.fileobj for key, _ in self._selector.select(seconds)}
        if self._to in ready:
            self._write()
        return self._from in ready

    def read(self) -> bytes | None:
        """What has come; nothing when there will be no more, None when there may be."""
        try:
            return os.read(self._from.fileno(), _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """Neither end is used any more."""
        self._selector.close()
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()

    def _write(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._to.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except OSError:  # it died; rows that it left behind can still be read
            self._unsent.clear()
        if bool(self._unsent) != self._waiting:
            self._waiting = not self._waiting
            if self._waiting:
                self._selector.register(self._to, selectors.EVENT_WRITE)
            else:
                self._selector.unregister(self._to)


class ThreadedEnds:
    """The same where nothing waits for several pipes: a thread reads, and another one writes."""

    def __init__(self, to: IO[bytes], come: IO[bytes]) -> None:
        self._unsent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._come: queue.Queue[bytes] = queue.Queue(_CHUNKS)
        self._next: bytes | None = None
        self._closed = False
        for work, stream in ((self._write, to), (self._read, come)):
            threading.Thread(target=work, args=(stream,), daemon=True).start()

    def send(self, data: bytes) -> None:
        """Send when the worker has taken what was sent before."""
        self._unsent.put(data)

    def wait(self, seconds: float) -> bool:
        """Whether something came within some seconds, or the other end was closed."""
        if self._next is None:
            with suppress(queue.Empty):
                self._next = self._come.get(timeout=seconds)
        return self._next is not None

    def read(self) -> bytes | None:
        """What has come; nothing when there will be no more, None when there may be."""
        self.wait(TERM_GRACE)  # of a worker that died, the last rows may not have been read yet
        data, self._next = self._next, None
        return data

    def close(self) -> None:
        """The threads end, and close the pipes that they may still wait for."""
        self._closed = True
        self._unsent.put(b"")
        with suppress(queue.Empty):
            while True:
                self._come.get_nowait()

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:  # it died; rows that it left behind can still be read
            while data := self._unsent.get():
                while data:
                    data = data[os.write(stream.fileno(), data) :]

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:
            while (data := os.read(stream.fileno(), _CHUNK)) and not self._closed:
                self._come.put(data)
        self._come.put(b"")


@dataclass
class Served:
    """What became of one worker: what it was sent, what it had in hand, how it ended."""

    sent: dict[str, Ask] = field(default_factory=dict)
    """Units that the candidate has not taken yet, with the record that they belong to."""
    in_hand: dict[str, Ask] = field(default_factory=dict)
    answered: bool = False
    asked_all: bool = False
    ended: bool = False
    """Whether the candidate said all that it would: a worker that just ends has died."""
    lost: bool = False
    """Whether what it ran on was lost: that is no unit's fault unless it happens again."""
    asks_alone: bool = False
    """Whether it has a unit to answer alone, and is sent nothing else meanwhile."""

    def send(self, ask: Ask) -> None:
        """The worker is sent a record."""
        self.sent.update(dict.fromkeys(ask.wanted, ask))
        self.asks_alone = ask.alone

    failure: str = ""

    def take(self, id: str) -> None:
        """The candidate has a unit that the worker was sent."""
        ask = self.sent.pop(id, None)
        if ask is None:
            raise unrequested_answer(id)
        self.in_hand[id] = ask

    def answer(self, id: str) -> None:
        """The candidate has answered a unit that it took."""
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
        """The worker is lost, and so is word of what it took: it may be all that it was sent."""
        self.lost = True
        self.in_hand |= self.sent
        self.sent.clear()

    def blamed(self) -> str | None:
        """The unit that the worker failed on, where that is known."""
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
        left: dict[int, tuple[Ask, list[str]]] = {}
        for unit, ask in self.sent.items():
            left.setdefault(id(ask), (ask, []))[1].append(unit)
        return [replace(ask, wanted=tuple(units)) for ask, units in left.values()]


def _row(said: AnswerMessage) -> Row:
    try:
        return msgspec.json.decode(said.row, type=Row)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Row(id=said.id, error=f"the answer cannot be journalled: {error_line(error)}")
