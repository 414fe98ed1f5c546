"""What a kind of test may add to marking: fields to slice by, error classes, tables of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from rich.console import Console

from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.core.test import Test


@runtime_checkable
class DerivesFields(Protocol):
    """A kind of test whose units have more fields to slice by than their file says."""

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """Fields that are computed from a unit; one of the file's own comes first."""


@runtime_checkable
class ClassesErrors(Protocol):
    """A kind of test whose wrong answers are told apart."""

    def error_classes(self, test: Test) -> ErrorClassifier | None:
        """What sorts the wrong answers to a test into classes; None where there are no classes."""


@runtime_checkable
class CountsTables(Protocol):
    """A kind of test with tables of its own among the marks."""

    def extra_tables(self) -> Mapping[str, type[ExtraTable]]:
        """Tables that are counted while a sitting is marked, by their name in the marks."""


class DerivedField(NamedTuple):
    """A field that a kind computes from a unit, such as the length of its text."""

    value: Callable[[Unit], Any]
    """The unit's value, or a list of values; None where it has none."""
    rules: str
    """What decides a value, for the signature."""
    quartiles: bool = False
    """Whether values are numbers, which slices put into the quartiles of the whole test."""
    decimals: int = 0
    """How many decimals of a number count."""


class ErrorClassifier(Protocol):
    """Sorts answers into classes. The first class is the right answer."""

    @property
    def names(self) -> Sequence[str]:
        """The classes, in the order of the tables."""

    @property
    def width(self) -> int:
        """How many numbers a vector has: one a class, then any others."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """1 at the answer's class; zeros where no class can be decided."""

    def signature(self) -> str:
        """Everything that decides a class."""


class TableCounter(Protocol):
    """Counts units for an extra table."""

    def add(self, unit: Unit, references: Sequence[Sequence[Any]], rows: Sequence[Row]) -> None:
        """Count the rows of a unit."""

    def counted(self) -> ExtraTable | None:
        """The table; None where nothing was counted."""


class ExtraTable(Protocol):
    """A table of a kind's own among the marks: a struct that JSON is decoded into."""

    @staticmethod
    def counter(test: Test) -> TableCounter | None:
        """A counter for a sitting of a test; None where the table does not apply."""

    def as_json(self) -> Any:
        """The table in the document that ``mark --json`` prints."""

    def show(self, console: Console) -> None:
        """Print the table on a rich console."""
