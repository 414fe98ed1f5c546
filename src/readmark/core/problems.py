"""Problems of a test: the first one is raised, or a check collects them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from readmark.core.errors import DataError


class WarningCode(str):
    """The code of a problem that may be none: a check reports it but does not fail.

    Example: ``yield record.id, WarningCode("one_expert"), "has one expert"``.
    """

    __slots__ = ()


class PartLine(int):
    """The number of a line, with the file that it is in: one of the parts of a test.

    A number, since every reader passes places on as line numbers; only a `Problem` of one asks for
    the file.
    """

    file: str

    def __new__(cls, number: int, file: str) -> PartLine:
        line = super().__new__(cls, number)
        line.file = file
        return line


def part_of(place: int | str) -> str | None:
    """The file of a test's parts that a place is in; None in a test that is one file."""
    return place.file if isinstance(place, PartLine) else None


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: where (a line number or an id), a code, and one line of prose.

    ``severity`` is ``error`` or ``warning``; a ``WarningCode`` makes it a warning.
    """

    file: str
    where: int | str
    code: str
    message: str
    severity: str = ""

    def __post_init__(self) -> None:
        # Set here, and once, so that a reader makes problems of whatever place it was given.
        if isinstance(self.where, PartLine):
            object.__setattr__(self, "file", self.where.file)
            object.__setattr__(self, "where", int(self.where))
        if not self.severity:
            severity = "warning" if isinstance(self.code, WarningCode) else "error"
            object.__setattr__(self, "severity", severity)
            object.__setattr__(self, "code", str(self.code))  # msgspec encodes no subclass of str

    def __str__(self) -> str:
        warning = "warning: " if self.severity == "warning" else ""
        line = f"{self.file}:{self.where}: {self.code}: {warning}{self.message}"
        return " ".join(line.splitlines())  # an id may contain line breaks

    @property
    def details(self) -> Sequence[str]:
        """Further lines: how the problem comes about."""
        return ()

    def error(self) -> DataError:
        """The problem as an error."""
        return DataError(f"{self.code}: {self.message}", file=self.file, where=self.where)


def of_owner(
    file: str, place: int | str, owner: str, code: str, message: str, severity: str = ""
) -> Problem:
    """A problem of a record or unit (its ``owner``): at a line, with its id, or else at its id."""
    if isinstance(place, int):
        return Problem(file, place, code, f"{owner}: {message}", severity)
    return Problem(file, owner, code, message, severity)


ReportProblem = Callable[[Problem], None]


def ignore(problem: Problem) -> None:
    """Ignore a problem that another reading reports."""


def fail(problem: Problem) -> NoReturn:
    """The default report: the first problem ends the reading."""
    raise problem.error()


def problem_of(error: DataError, file: object) -> Problem:
    """An error as a problem of ``file``, unless the error names another file.

    The code is the word before the message's colon.
    """
    code, _, message = error.message.partition(": ")
    if not code.isidentifier():
        code, message = "unreadable", error.message
    where = error.where or 1
    where = where if isinstance(where, int) else str(where)
    return Problem(str(error.file or file), where, code, message)


def unreadable(error: DataError) -> Problem:
    """The problem of one of several files that cannot be read, while the others can."""
    where = error.where if isinstance(error.where, int) else 1
    return Problem(str(error.file), where, "unreadable", error.message)


def remark(report: ReportProblem, problem: Problem) -> None:
    """Report something odd that can be read in one way only: it must not end a reading."""
    if report is not fail:
        report(problem)
