"""``map`` by several processes: results in the order of the items, in bounded memory.

This pool is for Readmark's own work, where a process that dies ends the command. Code of others
runs elsewhere: a sitting's workers (`sitting.workers`) have a candidate, and are replaced when they
die, hang or damage their pipe; a confined process (`core.confinement`) does one task under limits
of time and memory.
"""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from readmark.core.errors import ReadmarkError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

MOST_WORKERS = 1_024
"""Processes that a user may ask for; a larger number is a typing error."""
AHEAD = 6
"""Items per worker that wait, run, or are done and not yet taken. More would only fill memory; with
fewer, an item that takes long would leave the other workers without any."""
PER_WORKER = 3
"""Items that a worker has, one of them running; any others wait for the first worker that is free.
So many keep it busy while this process works on an item itself."""
SWITCH = 0.0005
"""Seconds after which a worker's main thread lets the threads that listen and answer have a turn.
With Python's 0.005 the first process would wait so long for every part of an item to be received.
"""
Item = TypeVar("Item")
Mapped = TypeVar("Mapped")
_Outcome = tuple[Exception | None, Any]
"""An error or None, and the result."""


def ordered_map(
    function: Callable[[Item], Mapped], items: Iterable[Item], *, workers: int
) -> Generator[Mapped, None, None]:
    """``map`` by ``workers`` processes, of which this one is the last to get any work.

    Items are taken as they are needed. When taking one fails, the results of those before it still
    come, and then the error. A new process must be able to import ``function``.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    source = enumerate(items)
    failure: BaseException | None = None
    waiting: deque[tuple[int, Any]] = deque()
    done: dict[int, _Outcome | bytes] = {}
    taken, is_exhausted = 0, False
    # This process works too. If it only read and wrote, two processors would have three processes,
    # and every item and result would travel.
    with _crew(workers - 1, function) as crew:
        for following in itertools.count():
            while not is_exhausted and taken < following + AHEAD * workers:
                try:
                    waiting.append(next(source))
                except StopIteration:
                    is_exhausted = True
                    break
                except Exception as error:
                    failure, is_exhausted = error, True
                    break
                taken += 1
                _receive(crew, done, timeout=0)
                _hand_out(crew, waiting)
            if following == taken:
                break
            while following not in done:
                _receive(crew, done, timeout=0 if waiting else None)
                _hand_out(crew, waiting)
                if waiting and following not in done:  # more than the others have room for
                    number, item = waiting.popleft()
                    done[number] = _outcome(function, item)
            outcome = done.pop(following)
            yield unpacked(pickle.loads(outcome) if isinstance(outcome, bytes) else outcome)
    if failure is not None:
        raise failure


def unpacked(outcome: _Outcome) -> Any:
    """The result of an outcome; an error is raised."""
    error, result = outcome
    if error is not None:
        raise error
    return result


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, the line to it, and how many of its items are not back."""

    process: SpawnProcess
    line: Connection
    busy: int = 0


def _hand_out(crew: list[_Worker], waiting: deque[tuple[int, Any]]) -> None:
    """Send waiting items to workers that have room for them, the least busy first."""
    while waiting and (free := min(crew, key=lambda worker: worker.busy)).busy < PER_WORKER:
        _send(free, waiting.popleft())


def _send(worker: _Worker, numbered: tuple[int, Any]) -> None:
    # Never waits for long: a thread of the worker takes in whatever comes.
    try:
        worker.line.send(numbered)
    except OSError:
        raise _died() from None
    worker.busy += 1


def _receive(
    crew: list[_Worker], done: dict[int, _Outcome | bytes], *, timeout: float | None
) -> None:
    """Take in results that have come, still pickled; without a timeout, wait for the first."""
    from multiprocessing.connection import wait

    lines = {worker.line: worker for worker in crew if worker.busy}
    for line in wait(list(lines), timeout):
        worker = lines[line]  # type: ignore[index]
        try:
            number, result = worker.line.recv()
        except (EOFError, OSError):
            raise _died() from None
        done[number] = result
        worker.busy -= 1


def _died() -> ReadmarkError:
    return ReadmarkError("a worker process died (memory may have run out): try fewer `workers`")


@contextmanager
def _crew(workers: int, function: Callable[[Any], Any]) -> Iterator[list[_Worker]]:
    """Processes that end with the block, also after an error, and with this process.

    They are spawned, since threads of a library do not survive a fork. Each has its own line here
    and shares nothing with the others, so that it can be killed at any moment, even in the middle
    of a message. The processes of a `multiprocessing` pool share a queue: whoever waits for
    the rest of such a message waits forever.
    """
    from multiprocessing import get_context

    context = get_context("spawn")
    crew: list[_Worker] = []
    try:
        for _ in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, function), daemon=True)
            process.start()
            theirs.close()  # else this process would not notice that the worker ended
            crew.append(_Worker(process, ours))
        yield crew
    finally:
        for worker in crew:
            worker.line.close()
            worker.process.kill()  # its results have come, or nobody wants them
        for worker in crew:
            worker.process.join()


def _work(line: Connection, function: Callable[[Any], Any]) -> None:
    """A worker's life. Two threads listen and answer, so that neither side waits for the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    sys.setswitchinterval(SWITCH)
    collect_seldom()
    items: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
    results: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(line, items), daemon=True).start()
    threading.Thread(target=_answer, args=(line, results), daemon=True).start()
    while True:
        number, item = items.get()
        results.put((number, pickled_outcome(function, item)))


def _listen(line: Connection, items: queue.SimpleQueue[tuple[int, Any]]) -> None:
    try:
        while True:
            items.put(line.recv())
    except (EOFError, OSError):
        os._exit(1)  # the parent is done with this process, or gone


def _answer(line: Connection, results: queue.SimpleQueue[tuple[int, bytes]]) -> None:
    try:
        while True:
            line.send(results.get())
    except OSError:
        os._exit(1)


def _outcome(function: Callable[[Any], Any], item: Any) -> _Outcome:
    try:
        return None, function(item)
    except Exception as error:
        return error, None


def pickled_outcome(function: Callable[[Any], Any], item: Any) -> bytes:
    """An error or None, and the result, for another process."""
    try:
        return pickle.dumps((None, function(item)))
    except Exception as error:
        if not isinstance(error, ReadmarkError):
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
        try:
            return pickle.dumps((error, None))
        except Exception:  # an error that cannot be pickled is sent as text
            return pickle.dumps((RuntimeError(repr(error)), None))


def collect_seldom() -> None:
    """Have Python look for reference cycles less often: millions of values have none.

    At its default of 700, that took a tenth of the time of marking.
    """
    gc.set_threshold(20_000)
