"""Progress on stderr, for whatever takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from readmark.cli import options

if TYPE_CHECKING:
    from readmark.sitting.runner import Progress

EVERY_TERMINAL = 0.1
EVERY_LOG = 30.0


class Ticker:
    """Progress on stderr: one line that changes on a terminal, a line now and then in a log."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._every = EVERY_TERMINAL if self._terminal else EVERY_LOG
        self._next = time.monotonic() + self._every
        self._shown = False

    def show(self, progress: Progress) -> None:
        """Say where the sitting is, when it is time to."""
        self.say(lambda: _words(progress))

    def say(self, words: Callable[[], str]) -> None:
        """Say where other work is, when it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every
        said = words()
        if self._terminal:
            click.echo(f"\r\033[K{said}", err=True, nl=False)
            self._shown = True
        else:
            options.say([said])

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


def _words(progress: Progress) -> str:
    done = progress.before + progress.answered + progress.errors
    left = f", {clock(progress.left)} left" if progress.left is not None else ""
    errors = f", {error_words(progress.errors)}" if progress.errors else ""
    return f"{done}/{progress.total} units, {progress.rate:.1f}/s{left}{errors}"


def clock(seconds: float) -> str:
    """A duration as people read it."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def error_words(count: int) -> str:
    """Errors in the right number."""
    return "1 error" if count == 1 else f"{count} errors"
