"""Calls that take seconds: limited in number, and each in a process limited in time and memory.

A few run at a time, one for each person. Anybody else gets 429 at once and comes again: nobody
waits in a thread of the server, because those threads also save people's work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from readmark.core.confinement import (
    Late,
    OutOfMemory,
    ProcessFailed,
    bare_environment,
    run_confined,
)
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.program_files import Upgraded, is_replaced

MOST_MEMORY = 1 << 31
"""Bytes for the process of a call."""


class HallBusy(ReadmarkError):
    """Too many calls are running: 429, and when to try again."""

    status = 429
    retry_after = 2


class CallLimit:
    """How many calls run at a time in this process of the hall, one for each person."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._callers: list[str | None] = []

    @contextmanager
    def turn(self, person: str | None) -> Iterator[None]:
        """Make a call for a person; `HallBusy` at once if it is one too many.

        None is a caller whose person is counted elsewhere.
        """
        with self._lock:
            if person is not None and person in self._callers:
                raise HallBusy("Your last call is still running. Please try again when it is done.")
            if len(self._callers) >= self._most:
                raise HallBusy("The hall is busy with other calls. Please try again.")
            self._callers.append(person)
        try:
            yield
        finally:
            with self._lock:
                self._callers.remove(person)


HEAVY_CALLS = CallLimit(2)
"""Calls with a process of their own: reasoning, scoring, reading what was uploaded."""


def run_call(function: Callable[[Any], Any], task: Mapping[str, Any], *, seconds: float) -> Any:
    """The result of a module's function for a task, in a process of its own.

    It returns ``{"result": …}``, or ``{"error": …}`` for what the sender can put right.
    """
    try:
        reply = run_confined(
            function,
            task,
            seconds=seconds,
            memory=MOST_MEMORY,
            what="the call",
            environment=bare_environment(),
        )
    except Late:
        raise DataError(f"the call took more than {seconds:g} s and was stopped") from None
    except OutOfMemory:
        raise
    except ProcessFailed:  # its output is not shown: it may hold parts of hidden data
        if is_replaced():
            raise Upgraded from None
        raise DataError("the call ended without a result: send less at a time") from None
    if "error" in reply:
        raise DataError(str(reply["error"]))
    return reply["result"]
