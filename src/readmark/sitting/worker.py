"""A worker process: it has the candidate, takes records and gives rows back to its parent."""

from __future__ import annotations

import io
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.kinds import kind_named
from readmark.sitting.asking import Ask, answers
from readmark.sitting.candidates import CANDIDATES, begin_repeat, in_one_line, make_ready
from readmark.sitting.leaving import leave
from readmark.sitting.messages import (
    Begin,
    End,
    Fatal,
    Said,
    Task,
    Took,
    ToWorker,
    Unscored,
    Want,
    receive,
    send,
)

Tasks = queue.SimpleQueue[Task | End]


def serve() -> None:
    """A worker's life: begin, answer what comes, end when there is no more or no parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = _own_pipes()
    begin = receive(incoming, ToWorker)
    if not isinstance(begin, Begin):
        return
    sys.path[:] = begin.path
    tasks: Tasks = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, tasks), daemon=True).start()
    try:
        _sit(begin, tasks, outgoing)
    except ReadmarkError as error:
        _tell(outgoing, Fatal(str(error)))
    except BaseException as error:  # Ctrl-C is the parent's: whatever comes here is the candidate's
        said = f"candidate {begin.candidate} cannot sit: {in_one_line(error)}"
        _tell(outgoing, Fatal(said))
    leave(0)


def _own_pipes() -> tuple[io.FileIO, IO[bytes]]:
    """The pipes to the parent, out of the candidate's reach.

    What it prints goes to standard error, and what it reads is empty.
    """
    incoming = io.FileIO(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return incoming, outgoing


def _listen(incoming: io.FileIO, tasks: Tasks) -> None:
    """Take in what the parent sends, so that it never waits, and notice when it is gone."""
    while (message := receive(incoming, ToWorker)) is not None:
        tasks.put(message)
    os._exit(1)  # nobody is left to answer to, however long the candidate would go on


def _sit(begin: Begin, tasks: Tasks, outgoing: IO[bytes]) -> None:
    kind = kind_named(begin.kind)
    name, candidate = CANDIDATES.build(begin.candidate)
    make_ready(str(name), candidate, kind, begin.language)
    begin_repeat(str(name), candidate, begin.repeat)
    for row in answers(
        candidate,
        kind,
        _asks(tasks, outgoing, kind.record),
        on_taken=lambda id: _tell(outgoing, Took(id)),
        on_unscored=lambda id: _tell(outgoing, Unscored(id)),
        interrupts=(),
    ):
        _tell(outgoing, Said(row.id, msgspec.json.encode(row)))
    _tell(outgoing, End())


def _asks(tasks: Tasks, outgoing: IO[bytes], record: type[Any]) -> Iterator[Ask]:
    while isinstance(task := tasks.get(), Task):
        _tell(outgoing, Want())
        yield Ask(msgspec.json.decode(task.record, type=record), task.wanted)


def _tell(outgoing: IO[bytes], message: msgspec.Struct) -> None:
    try:
        send(outgoing, message)
    except BrokenPipeError:
        os._exit(1)


if __name__ == "__main__":
    serve()
