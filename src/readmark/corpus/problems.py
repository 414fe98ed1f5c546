"""What is wrong with a test, place by place: raised at the first, or collected by a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from readmark.corpus.errors import DataError


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: where (a line number or an id), a code, and one line of prose."""

    file: str
    where: int | str
    code: str
    message: str

    def __str__(self) -> str:
        said = f"{self.file}:{self.where}: {self.code}: {self.message}"
        return " ".join(said.splitlines())  # an id may hold anything

    def error(self) -> DataError:
        """The problem as an error."""
        return DataError(f"{self.code}: {self.message}", file=self.file, where=self.where)


Report = Callable[[Problem], None]


def fail(problem: Problem) -> NoReturn:
    """The default report: the first problem ends the reading."""
    raise problem.error()
