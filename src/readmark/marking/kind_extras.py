"""What a kind of test may add to marking: fields, error classes, tables, notes, records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from rich.console import Console

from readmark.core.records import Unit
from readmark.core.sitting import Row, Sitting
from readmark.core.test import Test
from readmark.hooks import Metric


@runtime_checkable
class DerivesFields(Protocol):
    """A kind of test whose units have more fields to slice by than their file has."""

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """Fields that are computed from a unit; a field of the file with the same name wins."""


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


@runtime_checkable
class NotesTests(Protocol):
    """A kind of test whose tests have something that a reader of any marks should know."""

    def notes(self, test: Test) -> Iterable[str]:
        """What a reader of any marks on the test should know, one per line."""


@runtime_checkable
class NotesAnswers(Protocol):
    """A kind of test that notices odd answers."""

    def answer_notes(self, test: Test, sitting: Sitting, *, of_person: bool) -> Iterable[str]:
        """What a reader should know of a sitting's answers, or of a person's, one per line."""


@runtime_checkable
class NotesMetrics(Protocol):
    """A kind of test that knows which units a metric cannot do justice to."""

    def metric_notes(self, test: Test, metrics: Mapping[str, Metric]) -> Iterable[str]:
        """What a reader of these metrics on the test should know, one per line."""


@runtime_checkable
class CountsUnjudged(Protocol):
    """A kind of test with metrics that count the answers nobody has judged."""

    def unjudged_answers(self, counts: Mapping[str, int]) -> int:
        """How many answers are not judged; ``counts`` is by metric, some count the same ones."""


@runtime_checkable
class NamesEmptyAnswers(Protocol):
    """A kind of test whose key may name people who gave no answer."""

    def empty_answers(self, unit: Unit) -> int:
        """How many people found no answer to a unit that has one."""


@runtime_checkable
class ExplainsUnkeyed(Protocol):
    """A kind of test that knows why units have no key."""

    def unkeyed_words(self, test: Test) -> str:
        """Why units of the test have no key, where the kind knows; else nothing."""


@runtime_checkable
class MakesRecords(Protocol):
    """A kind of test of which `readmark score` can mark a single answer."""

    def record_of(self, references: Sequence[Any]) -> Any:
        """A record with one unit; its key has these references, each as one person's."""


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
    is_usual: bool = False
    """Whether it tells sorts of questions apart and is cheap: looked at where nobody asks."""


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
