"""Every hook that a plug-in may implement: a signature and one line each.

A plug-in is an entry point of another package in one of the groups of ``readmark/builtin.py``;
Readmark's own kinds, formats, candidates, metrics, commands, report sections and transforms are
registered there in the same way. The classes named ``...Hooks`` are optional: a plug-in has any
of their members or none. Readmark reads an optional member only with ``hook``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from readmark.core.errors import ReadmarkError
from readmark.core.kinds import Finding, Kind

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from readmark.core.question_rules import QuestionRules
    from readmark.core.records import Answer, Unit
    from readmark.core.sitting import Row, Sitting
    from readmark.core.test import Test

    Floats = NDArray[np.float64]

__all__ = [
    "CandidateHooks",
    "ErrorClassifier",
    "ExtraTable",
    "FormatHooks",
    "Kind",
    "KindHooks",
    "LlmForm",
    "MetricHooks",
    "PaperTransform",
    "TableRows",
    "hook",
]


class KindHooks(Protocol):
    """What a kind of test may have besides the members of ``Kind``."""

    extra_tables: Mapping[str, type[ExtraTable]]
    """Tables that are counted while a sitting is marked, by their name in the marks."""

    def error_classes(self, test: Test) -> ErrorClassifier | None:
        """What sorts the wrong answers to a test into classes; None where there are no classes."""

    def record_of(self, references: Sequence[Any]) -> Any:
        """A record with one unit whose key holds these references, a person each."""

    def test_findings(self, record: Any, test: Test) -> Iterator[Finding]:
        """What is wrong in a record given the whole test: its language, its hidden splits."""

    def notes(self, test: Test) -> Iterable[str]:
        """What a reader of any marks on the test should know, a line each."""

    def panel_notes(self, test: Test, panel: Sequence[Sitting]) -> Iterable[str]:
        """What a reader should know of people's sittings, a line each."""

    def table_rows(self) -> TableRows:
        """How the kind's records are read from and written to tables, a unit a row."""

    def llm_form(self) -> LlmForm:
        """How a language model is asked, and how its reply is read."""

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` holds questions to."""


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

    def show(self, console: Any) -> None:
        """Print the table on a rich console."""


class TableRows(Protocol):
    """A kind's records as rows of a table, a unit each."""

    @property
    def columns(self) -> Sequence[Any]:
        """The columns, as ``readmark.formats.tables.columns`` defines them."""

    def is_row(self, row: Mapping[str, Any]) -> bool:
        """Whether a row's columns are those of this kind."""

    def read(self, rows: Iterable[Any], report: Callable[[Any], None], habit: Any) -> Iterator[Any]:
        """The records with their places; what is wrong with a row is reported."""

    def losses(self, losses: Any, record: Any, columns: Sequence[Any]) -> None:
        """Name what of a record the columns cannot hold."""


class LlmForm(Protocol):
    """How a language model is asked about a unit, and what its reply means."""

    @property
    def places(self) -> frozenset[str]:
        """What a prompt may have filled in."""

    @property
    def needed(self) -> frozenset[str]:
        """What nothing can be asked without."""

    @property
    def member(self) -> str:
        """The member of the reply that holds the answer."""

    def prompts(self, answer_in: str) -> Sequence[str]:
        """The prompts that units of a test may need."""

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """The prompt that a unit needs."""

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """What a prompt's places hold for a unit."""

    def members(self, unit: Unit) -> dict[str, Any]:
        """The JSON schema of each member of a reply."""

    def example(self, unit: Unit, answer: Answer, language: str, *, blank: bool) -> dict[str, str]:
        """The right reply to a unit that is shown as an example; ``blank`` without its text."""

    def text(self, unit: Unit) -> str:
        """The text that a unit is asked about."""

    def may_be_empty(self, unit: Unit) -> bool:
        """Whether an empty reply can be an answer to the unit."""

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[str, tuple[int, int] | None, dict[str, Any]]:
        """The answer that a reply's text means, where it is in the text, and the evidence."""


class PaperTransform(Protocol):
    """Changes what a candidate sees of a paper. A dataclass: its fields are its parameters.

    Transforms are applied in the order of the registry, and undone in rows in the reverse order.
    """

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Check that the transform fits the test and the other transforms; load what it needs."""

    def header(self) -> Mapping[str, Any]:
        """The members of the sitting's header that state this transform."""

    def signature(self) -> Mapping[str, Any]:
        """What of the transform decides the answers."""

    def asks(self, asks: Iterator[Any], repeat: int) -> Iterator[Any]:
        """The papers that are handed out, changed."""

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows that come back, with a note of what was changed."""


class TransformHooks(Protocol):
    """What a transform may have besides the members of ``PaperTransform``."""

    hides_passages: bool
    """Whether offsets of answers may point anywhere, since the passage is not as in the test."""

    def open_test(self, path: str | os.PathLike[str]) -> Test | None:
        """The test to sit, where a file holds several; None for the ordinary one."""

    def closing_notes(self) -> Iterable[str]:
        """What a user should know after the sitting, a line each."""


class CandidateHooks(Protocol):
    """What a candidate may have besides the members of ``Candidate``."""

    kinds: Sequence[str]
    """The kinds of test that it sits; all if absent."""
    needs: Sequence[str]
    """The layers of the key that it wants to see."""
    layers: Sequence[str]
    """The layers without which it cannot sit a test."""
    earlier: Sitting | None
    """The sitting that its answers come from."""

    def begin_repeat(self, number: int) -> None:
        """Called in every process before the units of a repeat."""

    def take_traffic(self, traffic: Any, journal: Path) -> None:
        """The limits of a candidate that sends requests itself, many at once."""

    def closing_notes(self) -> Iterable[str]:
        """What a user should know after the sitting, a line each."""


class MetricHooks(Protocol):
    """What a metric may have besides the members of ``Metric``."""

    kinds: Sequence[str]
    """The kinds of test that it marks; all if absent."""
    quantity: str
    """``share`` for a mark from 0 to 1, ``correlation`` for one from -1 to 1."""
    best: float
    """The best value that a unit can get; 1 if absent."""
    worst: float
    """The worst value that a unit can get; 0 if absent."""
    lower_is_better: bool
    """Whether lower marks are better."""
    ratio: bool
    """Whether a ratio of the candidate's mark to people's makes sense; it does if absent."""
    plot: str
    """The report section that is shown because of this metric."""
    uncounted: str
    """Why some units do not count; units whose mark is undefined are left out then."""
    unneeded: str
    """Why people's sittings are not needed in a comparison."""
    unmarked: str
    """Why people have no mark of their own."""
    unjudged: str
    """What answers that nobody judged count as."""
    profile: str
    """The scoring profile, where the metric takes its rules from one."""

    def statistics_of_many(self, cases: Sequence[Any]) -> Sequence[Sequence[float]]:
        """The vectors of many answers at once, each as ``statistics`` gives it."""

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The vector of a unit that was asked several times; the mean if absent."""

    def paired(self, sums: Floats) -> Floats:
        """What two candidates are compared by; ``aggregate`` if absent."""

    def score(self, rows: Floats) -> float:
        """The mark of the units' vectors, for a metric that is no function of sums."""

    def remarks(self, rows: Floats) -> Sequence[str]:
        """What a reader of the mark should know, a line each."""

    def provisional(self, rows: Floats) -> int:
        """How many answers nobody has judged: until they are, the mark is provisional."""

    def failed(self, rows: Floats) -> int:
        """On how many units a request brought no reply: marking is not finished."""

    def lead(self) -> str | None:
        """Why the metric may not be the main mark; None if it may."""

    def take_traffic(self, traffic: Any) -> None:
        """The limits of a metric that sends requests."""


class FormatHooks(Protocol):
    """What a format may have: it reads tests, sittings or both, and writes what it can."""

    def recognises(self, source: Any) -> bool:
        """Whether a file is of this format, by its content."""

    def read(self, source: Any) -> Test:
        """The test in a file."""

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test; what the format cannot hold is named, a line each."""

    def read_sitting(self, source: Any, kind: Kind) -> Sitting:
        """The sitting in a file."""

    def write_sitting(self, sitting: Sitting, path: Path) -> Any:
        """Write a sitting."""

    def sides(self, source: Any) -> Sequence[str]:
        """The sides of a parallel corpus that a file holds."""

    def write_sides(self, tests: Sequence[Test], path: Path) -> list[str]:
        """Write both sides of a parallel corpus into one file."""

    folders: bool
    """Whether a folder may be of this format."""


_DECLARED = {
    name
    for hooks in (KindHooks, TransformHooks, CandidateHooks, MetricHooks, FormatHooks)
    for name in (*vars(hooks), *getattr(hooks, "__annotations__", ()))
    if not name.startswith("_")
}


def hook(plugin: Any, name: str, default: Any = None) -> Any:
    """An optional member of a plug-in, or the default; it must be declared above."""
    if name not in _DECLARED:
        raise ReadmarkError(f"{name} is no hook: declare it in readmark/hooks.py")
    return getattr(plugin, name, default)
