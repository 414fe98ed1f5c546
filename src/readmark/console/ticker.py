"""Progress of long work on standard error: how much is done, how fast, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from readmark.console.messages import error_words, notify
from readmark.core.counts import seconds_left

if TYPE_CHECKING:
    from readmark.sitting import RunProgress

EVERY_TERMINAL = 0.1
"""Seconds between two changes of the line on a terminal."""
EVERY_LOG = 30.0
"""Seconds between two lines where there is no terminal: each stays in the log."""


class Ticker:
    """The progress reporter of every command: a changing line on a terminal, else log lines."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self._every = EVERY_TERMINAL if self.is_terminal else EVERY_LOG
        self._began: dict[str, tuple[float, int]] = {}
        """When each count was first reported, and how far it was then."""
        self._next = time.monotonic() + self._every
        self._has_line = False

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def show(self, progress: RunProgress) -> None:
        """Report how far a sitting is, when it is time to."""
        done = progress.before + progress.answered + progress.errors
        self.say(
            lambda: _words(done, progress.total, progress.rate, progress.left, progress.errors)
        )

    def count(self, done: int, total: int, unit: str = "unit") -> None:
        """Report how many units are done, when it is time to; ``unit`` is what one is called."""
        rate = self._rate(unit, done)
        self.say(
            lambda: _words(done, total, rate, seconds_left(done, total - done, rate), unit=unit)
        )

    def step(self, words: str) -> None:
        """Report a step of a few as it begins."""
        self._print(words)

    def replies(self, what: str, done: int, total: int) -> None:
        """Report how many replies have come of how many requests, when it is time to."""
        rate = self._rate(what, done)

        def words() -> str:
            left = seconds_left(done, total - done, rate)
            return f"{done}/{total} {what}, {_pace(rate)}{_left(left)}"

        self.say(words)

    def say(self, words: Callable[[], str]) -> None:
        """Report how far other work is, when it is time to."""
        moment = time.monotonic()
        if moment >= self._next:
            self._next = moment + self._every
            self._print(words())

    def end(self) -> None:
        """Clear the line."""
        if self._has_line:
            click.echo("\r\033[K", err=True, nl=False)

    def _rate(self, what: str, done: int) -> float:
        """How many a second since the first count, before which models may have been loaded."""
        moment = time.monotonic()
        began, before = self._began.setdefault(what, (moment, done))
        return (done - before) / (moment - began) if moment > began else 0.0

    def _print(self, line: str) -> None:
        if self.is_terminal:
            click.echo(f"\r\033[K{line}", err=True, nl=False)
            self._has_line = True
        else:
            notify([line])


def _words(
    done: int, total: int, rate: float, seconds: float | None, failed: int = 0, unit: str = "unit"
) -> str:
    errors = f", {error_words(failed)}" if failed else ""
    units = unit if total == 1 else f"{unit}s"
    pace = f", {_pace(rate)}" if rate or not done else ""  # the first count has no rate yet
    return f"{done}/{total} {units}{pace}{_left(seconds)}{errors}"


def _pace(rate: float) -> str:
    """Units a second; a minute if it takes more than two seconds for one."""
    return f"{rate * 60:.1f}/min" if 0 < rate < 0.5 else f"{rate:.1f}/s"


def _left(seconds: float | None) -> str:
    return "" if seconds is None else f", {clock(seconds)} left"


def clock(seconds: float) -> str:
    """A duration such as 1:39:20 or 0:07."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
