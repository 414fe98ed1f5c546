"""Work on a stream by several processes: results in the order of the items, memory bounded."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from readmark.corpus.errors import ReadmarkError

AHEAD = 3
"""Items a worker that are under way or done and not yet taken: more would only fill memory."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int
) -> Generator[Result, None, None]:
    """``map`` by ``workers`` processes; with one worker it runs in this process.

    Items are taken as they are needed. When taking one fails, the results of those before it still
    come, and then the error. ``function`` is one that a new process can import.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    waiting: deque[Future[Result]] = deque()
    source = iter(items)
    failed: BaseException | None = None
    with _crew(workers) as crew:
        try:
            while True:
                try:
                    item = next(source)
                except StopIteration:
                    break
                except Exception as error:
                    failed = error
                    break
                waiting.append(crew.submit(function, item))
                if len(waiting) >= AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise ReadmarkError(
                "a worker process died (memory may have run out): try fewer --workers"
            ) from None
    if failed is not None:
        raise failed


@contextmanager
def _crew(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, with an error in it, and with this process.

    They are spawned, since threads of a library do not survive a fork, and watch a pipe whose other
    end only this process has: it closes when this process is done with them, or gone.
    """
    theirs, ours = get_context("spawn").Pipe(duplex=False)
    executor = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(theirs,)
    )
    try:
        yield executor
    except BaseException:
        ours.close()  # what is under way is given up
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        ours.close()
        theirs.close()


def _begin(parent: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    parent.poll(None)
    os._exit(1)
