"""Ending a process: when the system says so, and without waiting for threads left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import NoReturn

GRACE = 2.0
"""Seconds that threads left behind have to end by themselves."""
TERMINATED = 128 + signal.SIGTERM


class Terminated(BaseException):
    """The system asked this process to end.

    No ``SystemExit``: that is what a candidate's library raises, and becomes an error row.
    """


def end_when_told() -> None:
    """SIGTERM ends by exception, which takes half-written files along; a second one ends at once.

    A candidate that swallows the exception, or waits for its own threads, has some seconds.
    """

    def told(*_: object) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _end_anyway(TERMINATED, 2 * GRACE)
        raise Terminated

    signal.signal(signal.SIGTERM, told)


def was_told() -> bool:
    """Whether SIGTERM came, even if a library swallowed the exception."""
    return signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def leave(status: int) -> NoReturn:
    """Exit; a thread that a candidate left running is given some seconds and not waited for."""
    main = threading.main_thread()
    if any(one is not main and not one.daemon for one in threading.enumerate()):
        _end_anyway(status, GRACE)
    sys.exit(status)


def _end_anyway(status: int, seconds: float) -> None:
    def end() -> None:
        time.sleep(seconds)
        os._exit(status)

    threading.Thread(target=end, daemon=True).start()
