"""Messages of commands on standard error, in the words of the command line."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from readmark.core.counts import counted
from readmark.core.printable import printable

_ARGUMENT = re.compile(r"`([a-z]+(?:_[a-z]+)*)`")
_CALL = re.compile(r"`readmark\.([a-z]+)\(([^`]*)\)`")
_OTHER_NAMES = {
    "format": "to",
    "novices": "novice",
    "ontology": "with",
    "questions": "with",
    "repair_offsets": "repair",
}
"""Arguments whose option has another name."""


def in_options(message: str) -> str:
    """A message of the Python API in the words of the command line.

    Functions name their arguments in backquotes, as in `unit_timeout`; for commands that is
    --unit-timeout. A call to make, such as `readmark.convert('a.brcc', 'a/')`, is a command to run.
    """
    message = _CALL.sub(_as_command, message)
    return _ARGUMENT.sub(
        lambda match: f"--{_OTHER_NAMES.get(match[1], match[1]).replace('_', '-')}", message
    )


def _as_command(call: re.Match[str]) -> str:
    import ast
    import shlex

    try:
        arguments = ast.literal_eval(f"({call[2]},)")
    except (SyntaxError, ValueError):  # its arguments are not all literals
        return call[0]
    return f"`readmark {call[1]} {shlex.join(map(str, arguments))}`"


@contextmanager
def logged_to_stderr() -> Iterator[None]:
    """Print what functions log, such as how columns were read, as messages of the command."""
    logger = logging.getLogger("readmark.formats")
    handler, level = _Messages(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class _Messages(logging.Handler):
    """Prints each message once, however often a file is opened."""

    def __init__(self) -> None:
        super().__init__()
        self._printed: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._printed:
            self._printed.add(message)
            notify([message])


def notify(lines: Iterable[str]) -> None:
    """Print messages to stderr, without what could steer the terminal."""
    for line in lines:
        message = printable(" ".join(in_options(line).splitlines()))
        click.echo(f"readmark: {message}", err=True)


def problems(count: int, warnings: int = 0) -> str:
    """Counts of problems and warnings in words."""
    words = counted(count, "problem") if count else "no problems"
    return f"{words}, {counted(warnings, 'warning')}" if warnings else words


def error_words(count: int) -> str:
    """A count of errors in words."""
    return counted(count, "error")
