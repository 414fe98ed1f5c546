"""A worker process: it has the candidate, takes records and gives rows back to its parent."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import sleep
from typing import IO, Any, NoReturn

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.ending import leave
from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError
from readmark.core.kinds import kind_named
from readmark.core.version import __version__
from readmark.sitting.candidates import CANDIDATES, begin_repeat, make_ready
from readmark.sitting.messages import (
    LOST,
    AnswerMessage,
    Begin,
    Close,
    End,
    Fatal,
    Left,
    Ready,
    Repeat,
    TaskMessage,
    Took,
    ToWorker,
    Unscored,
    Want,
    receive,
    send,
)
from readmark.sitting.requests import Ask, answers

Tasks = queue.SimpleQueue[TaskMessage | End]
RepeatQueue = queue.SimpleQueue[tuple[int, Tasks] | None]
SendMessage = Callable[[msgspec.Struct], None]

PARENT = os.getppid()
LONGEST_REASON = 10_000
"""Characters of the reason why a candidate cannot sit."""
_HIGH_DESCRIPTOR = 1008
"""Where the pipes are moved to: below the 1,024 that systems allow by default, above any in use."""


def serve() -> None:
    """A worker's life: begin, answer repeat after repeat, end after the last or with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = _private_pipes()
    begin = receive(incoming, ToWorker)
    if not isinstance(begin, Begin):
        return
    sys.path[:] = begin.path
    tell = partial(_tell, outgoing, begin.mark)
    repeats: RepeatQueue = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, repeats), daemon=True).start()
    try:
        _sit(begin, repeats, tell)
    except ReadmarkError as error:
        tell(Fatal(str(error)[:LONGEST_REASON]))
    except BaseException as error:  # Ctrl-C is the parent's: whatever comes here is the candidate's
        tell(Fatal(f"candidate {begin.candidate} cannot sit: {error_line(error)}"))
    leave(0)


def _private_pipes() -> tuple[io.FileIO, IO[bytes]]:
    """The pipes to the parent, where nothing that the candidate prints or starts can reach them.

    What it prints goes to standard error, and what it reads is empty, whether Python, a C library
    or a process that it starts does so.
    """
    incoming = io.FileIO(_moved(0), "rb")
    outgoing = os.fdopen(_moved(1), "wb")
    with Path(os.devnull).open("r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        try:
            os.dup2(2, 1)
        except OSError:  # standard error is closed
            os.dup2(nothing.fileno(), 1)
    return incoming, outgoing


def _moved(descriptor: int) -> int:
    """The same file under a high number, closed in whatever is started from here.

    Libraries that write to or close the low numbers, as daemons do, do not meet it there.
    """
    try:
        import fcntl
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, min(limit - 16, _HIGH_DESCRIPTOR))
    except (ImportError, OSError, ValueError):
        return os.dup(descriptor)


def _listen(incoming: io.FileIO, repeats: RepeatQueue) -> None:
    """Take in what the parent sends, so that it never waits, and notice when it is gone.

    Each repeat has a queue of its own: a thread of the candidate's may still wait at the last one.
    """
    tasks: Tasks = queue.SimpleQueue()
    with contextlib.suppress(OSError, msgspec.MsgspecError):  # the candidate closed it, or read
        while (message := receive(incoming, ToWorker)) is not None:
            if isinstance(message, Repeat):
                tasks = queue.SimpleQueue()
                repeats.put((message.number, tasks))
            elif isinstance(message, Close):
                repeats.put(None)
            else:
                tasks.put(message)
    _end_lost()  # nobody is left to answer to, however long the candidate would go on


def _sit(begin: Begin, repeats: RepeatQueue, tell: SendMessage) -> None:
    kind = kind_named(begin.kind)
    name, candidate = CANDIDATES.build(begin.candidate)
    run = Run(materials=begin.materials, languages=begin.languages)
    signature = make_ready(str(name), candidate, kind, begin.language, run)
    if begin.signature is not None:
        check_same_candidate(str(name), begin.signature, {**signature, "readmark": __version__})

    def taken(task: TaskMessage) -> Ask:
        tell(Want())
        return Ask(msgspec.json.decode(task.record, type=kind.record), task.wanted)

    def taken_up_to_end(task: TaskMessage | End, tasks: Tasks) -> Iterator[Ask]:
        while isinstance(task, TaskMessage):
            yield taken(task)
            task = tasks.get()

    def send_rows(asks: Iterable[Ask]) -> Iterator[str]:
        """The ids of the units that rows were sent to."""
        for row in answers(
            candidate,
            kind,
            asks,
            on_taken=lambda id: tell(Took(id)),
            on_unscored=lambda id: tell(Unscored(id)),
            interrupts=(),
        ):
            tell(AnswerMessage(row.id, msgspec.json.encode(row)))
            yield row.id

    while (repeat := repeats.get()) is not None:
        number, tasks = repeat
        begin_repeat(str(name), candidate, number)
        tell(Ready())
        task = tasks.get()
        while isinstance(task, TaskMessage) and task.alone:
            for id in set(task.wanted).difference(send_rows([taken(task)])):
                tell(Left(id))
            task = tasks.get()
        for _ in send_rows(taken_up_to_end(task, tasks)):
            pass
        tell(End())


def check_same_candidate(
    name: str, recorded: Mapping[str, Any], signature: Mapping[str, Any]
) -> None:
    """Refuse a candidate that is not what the sitting's header says of it."""
    for member, value in msgspec.json.decode(msgspec.json.encode(signature)).items():
        if recorded.get(member) != value:
            raise ReadmarkError(
                f"candidate {name} is another one here: {member} is {value!r}, "
                f"in the sitting it is {recorded.get(member)!r}"
            )


def _tell(outgoing: IO[bytes], mark: bytes, message: msgspec.Struct) -> None:
    try:
        send(outgoing, message, mark)
    except (OSError, ValueError):  # the parent is gone, or the candidate closed the pipe
        _end_lost()


def _end_lost() -> NoReturn:
    """End; where the parent was killed, with all that the candidate started, as it would have."""
    sleep(0.1)  # the pipes of a process are closed before it is gone
    if sys.platform != "win32" and os.getppid() != PARENT and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(LOST)


if __name__ == "__main__":
    serve()
