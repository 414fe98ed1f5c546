"""The kinds of test. A kind says what a unit is, what is asked and what is marked; no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from readmark.core.records import Labelled, Unit
from readmark.core.registry import Entry, Registry

if TYPE_CHECKING:
    from readmark.core.sitting import Row
    from readmark.core.test import Facts, Header


Finding = tuple[str, str, str]
"""An id, the code of what is wrong there, and a line of prose."""


class Kind(Protocol):
    """What the one path from test to marksheet must know of a kind of test."""

    name: str
    record: type
    """The struct that a line of a native file holds."""
    record_noun: str
    """What intervals and paired tests resample: passage, series, document."""
    unit_noun: str
    """What is answered: question, passage, query."""
    answer: str
    """The member of a sitting's row that holds the answer: text, rewrite, rating, bindings."""
    parts: tuple[str, ...]
    """What can be left out of a paper to see whether it is needed."""
    people_from_key: bool
    """Whether people's figure comes from the key's answers or from sittings."""

    main_metric: str
    """What candidates are compared by when nothing else is asked for."""

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The metrics marked when none is asked for."""

    def paper(self, record: Any) -> Any:
        """The record with every key taken out."""

    def leave_out(self, record: Any, part: str) -> Any:
        """A paper's record without one of its ``parts``: what is answered then is a shortcut."""

    def units(self, record: Any) -> Iterator[Unit]:
        """The units of a record, in order."""

    def references(self, unit: Unit) -> Sequence[Sequence[Any]]:
        """What the unit is marked against: a list a person."""

    def read_answer(self, row: Row) -> Any:
        """The answer in a sitting's row, as the references are."""

    def paper_part(self, record: Any) -> Any:
        """What of a record counts towards the paper's fingerprint: ids and texts."""

    def key_part(self, record: Any) -> Any:
        """What of a record counts towards the key's fingerprint: the key without layers."""

    def texts(self, record: Any) -> Iterator[str]:
        """The texts that tell the language."""

    def findings(self, record: Any) -> Iterator[Finding]:
        """What is structurally wrong in a record."""

    def show_record(self, record: Any) -> Sequence[Labelled]:
        """How what the units of a record share is shown to a person, such as the passage."""

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """How the unit itself is shown to a person."""


@runtime_checkable
class ScoresSingleAnswers(Protocol):
    """Optional: a kind whose metrics can score one answer without a test."""

    def record_of(self, references: Sequence[Any]) -> Any:
        """A record with one unit, whose key holds these references, a person each."""


KINDS = Registry(
    "kind of test",
    "readmark.kinds",
    {
        "comprehension": Entry(
            "readmark.comprehension.kind:COMPREHENSION",
            "questions on a passage, answered by a span, a sentence or free text",
        ),
        "series": Entry(
            "readmark.series.kind:SERIES",
            "questions in a series with a target, rewritten to stand alone",
        ),
        "readability": Entry(
            "readmark.readability.kind:READABILITY",
            "passages rated from 1 to 5 by how easily they read",
        ),
        "task": Entry(
            "readmark.tasks.kind:TASK",
            "queries on documents, answered by bindings with their excerpts",
        ),
    },
)


def kind_named(name: str) -> Kind:
    """The kind of that name."""
    kind: Kind = KINDS.load(name)
    return kind
