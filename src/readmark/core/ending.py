"""Ending a process: on a signal, and without waiting for threads left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import NoReturn

GRACE = 2.0
"""Seconds that threads left behind have to end by themselves."""
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals of a service manager that ends a process, and of a terminal that is closed."""


class Terminated(BaseException):
    """The system asked this process to end.

    It is not a ``SystemExit``: those come from candidates' libraries and become error rows.
    """


_received: list[int] = []


def end_on_signals() -> None:
    """Turn SIGTERM and SIGHUP into an exception, so that half-written files are removed.

    A second signal ends the process at once. A candidate that swallows the exception, or waits for
    its threads, has some seconds. Under nohup SIGHUP stays ignored.
    """

    def terminate(number: int, _: object) -> NoReturn:
        _received.append(number)
        for other in ENDING:
            signal.signal(other, signal.SIG_DFL)
        _end_anyway(128 + number, 2 * GRACE)
        raise Terminated

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, terminate)


def ending_status() -> int | None:
    """The exit status of the signal that came, even if a library swallowed the exception."""
    return 128 + _received[-1] if _received else None


def leave(status: int) -> NoReturn:
    """Exit; a thread that a candidate left running is given some seconds and not waited for."""
    main = threading.main_thread()
    if any(thread is not main and not thread.daemon for thread in threading.enumerate()):
        _end_anyway(status, GRACE)
    sys.exit(status)


def _end_anyway(status: int, seconds: float) -> None:
    def end() -> None:
        time.sleep(seconds)
        os._exit(status)

    threading.Thread(target=end, daemon=True).start()
