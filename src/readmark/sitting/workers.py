"""Local worker processes: each has the candidate, takes records and gives rows back.

Only the parent journals. A worker speaks in length-prefixed messages over its own pipes, ends
when its parent does, and may die without taking more than the units it held with it.
"""

from __future__ import annotations

import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import IO, Any

import msgspec

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.kinds import kind_named
from readmark.corpus.sitting import Row
from readmark.sitting.asking import Ask, answers
from readmark.sitting.candidates import CANDIDATES

AHEAD = 2
"""Records that a worker is sent ahead of need, so that it never waits."""
MOST_DEATHS = 3
"""Workers that may die one after another without an answer before the sitting gives up."""


class Begin(msgspec.Struct, tag="begin"):
    """Who the worker is to be."""

    path: list[str]
    candidate: str
    kind: str
    language: str


class Task(msgspec.Struct, tag="task"):
    """A record to answer, as a line of a native file."""

    record: bytes
    wanted: tuple[str, ...]


class End(msgspec.Struct, tag="end"):
    """There are no more records."""


class Want(msgspec.Struct, tag="want"):
    """A worker has taken a record and can be sent another."""


class Said(msgspec.Struct, tag="said"):
    """An answer."""

    row: Row


class Fatal(msgspec.Struct, tag="fatal"):
    """The candidate cannot sit at all."""

    message: str


class Crew:
    """Several workers over one stream of records; rows come back in any order."""

    def __init__(self, candidate: str, kind: str, language: str, workers: int) -> None:
        self._begin = Begin(sys.path, candidate, kind, language)
        self._workers = workers
        self._rows: queue.SimpleQueue[Row | BaseException | None] = queue.SimpleQueue()
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
        try:
            while not self._stopping:
                said_something, ended = self._serve_one(tasks)
                if ended:
                    break
                deaths = 0 if said_something else deaths + 1
                if deaths >= MOST_DEATHS:
                    raise ReadmarkError("the candidate's worker processes die one after another")
        except BaseException as error:
            self._rows.put(error)
        finally:
            self._rows.put(None)

    def _serve_one(self, tasks: Iterator[Ask]) -> tuple[bool, bool]:
        """Start a worker and serve it to its end: whether it answered, and whether all is asked."""
        process = subprocess.Popen(
            [sys.executable, "-m", "readmark.sitting.workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._processes.append(process)
        held: dict[str, None] = {}
        state = {"answered": False, "all_asked": False}

        def send_next() -> None:
            if state["all_asked"]:
                return
            with self._lock:
                ask = next(tasks, None)
            if ask is None:
                state["all_asked"] = True
                _send(process.stdin, End())
                return
            held.update(dict.fromkeys(ask.wanted))
            _send(process.stdin, Task(msgspec.json.encode(ask.record), ask.wanted))

        try:
            _send(process.stdin, self._begin)
            for _ in range(AHEAD):
                send_next()
            while (message := _receive(process.stdout, Want | Said | Fatal)) is not None:
                if isinstance(message, Want):
                    send_next()
                elif isinstance(message, Said):
                    state["answered"] = True
                    held.pop(message.row.id, None)
                    self._rows.put(message.row)
                else:
                    raise ReadmarkError(message.message)
        except BrokenPipeError:
            pass
        status = process.wait()
        if self._stopping:
            return True, True
        if status != 0:
            for id in held:
                self._rows.put(Row(id=id, error=f"the worker process died (status {status})"))
            return state["answered"], False
        return state["answered"], state["all_asked"]

    def _stop(self) -> None:
        self._stopping = True
        for process in self._processes:
            if process.poll() is None:
                process.kill()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            process.wait()


def serve() -> None:
    """A worker's life: begin, answer what comes, end when there is no more or no parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a candidate prints must not be taken for a message.
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    begin = _receive(incoming, Begin | Task | End)
    if not isinstance(begin, Begin):
        return
    sys.path[:] = begin.path
    try:
        kind = kind_named(begin.kind)
        _, candidate = CANDIDATES.build(begin.candidate)
        candidate.prepare(kind, begin.language)
        for row in answers(candidate, kind, _asks(incoming, outgoing, kind.record)):
            _send(outgoing, Said(row))
    except ReadmarkError as error:
        _send(outgoing, Fatal(str(error)))
    except BrokenPipeError:
        return


def _asks(incoming: IO[bytes], outgoing: IO[bytes], record: type[Any]) -> Iterator[Ask]:
    while isinstance(message := _receive(incoming, Begin | Task | End), Task):
        _send(outgoing, Want())
        yield Ask(msgspec.json.decode(message.record, type=record), message.wanted)


def _send(stream: IO[bytes] | None, message: msgspec.Struct) -> None:
    if stream is None:
        raise BrokenPipeError
    data = msgspec.msgpack.encode(message)
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes] | None, kinds: Any) -> Any:
    """The next message, or None when the other side is gone."""
    head = stream.read(4) if stream is not None else b""
    if len(head) < 4:
        return None
    size = struct.unpack("<I", head)[0]
    data = stream.read(size) if stream is not None else b""
    return msgspec.msgpack.decode(data, type=kinds) if len(data) == size else None


if __name__ == "__main__":
    serve()
