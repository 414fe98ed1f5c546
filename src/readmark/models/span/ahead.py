"""The next epoch's lessons, made while this one's are learnt."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

from readmark.models.span.lessons import Packed

Make = Callable[[int, Callable[[], bool]], Packed]
"""Lessons of an epoch; it asks now and then whether it is stopped."""


class Ahead:
    """Lessons from a maker that works in a thread of its own."""

    def __init__(self, make: Make, epochs: int) -> None:
        self._make = make
        self._epochs = epochs
        self._stopped = Event()
        self._thread = ThreadPoolExecutor(1)
        self._coming: Future[Packed] | None = None

    def begin(self, number: int) -> None:
        """Begin on an epoch's lessons, unless some are on their way or none are needed."""
        if self._coming is None and number <= self._epochs:
            self._coming = self._thread.submit(self._make, number, self._stopped.is_set)

    def take(self, *, wait: bool) -> Packed | None:
        """The lessons that were begun; None where they are not ready and not waited for."""
        if self._coming is None or not (wait or self._coming.done()):
            return None
        made, self._coming = self._coming.result(), None
        return made

    def stop(self) -> None:
        """Leave what is being made."""
        self._stopped.set()
        self._thread.shutdown(wait=True, cancel_futures=True)
