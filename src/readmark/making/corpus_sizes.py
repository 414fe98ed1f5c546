"""How many records, questions and answers a part of a corpus has, and how long they are.

A part is one column of CMRC 2018's Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.core.record_members import is_unanswerable
from readmark.core.records import Unit
from readmark.hooks import Kind
from readmark.text.lengths import LENGTHS


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long texts of one sort are, in the unit of the table."""

    count: int
    longest: int
    mean: float
    total: int


@dataclass(frozen=True, slots=True)
class SplitColumn:
    """A split in numbers; ``answers_each`` is over the questions that have answers in words."""

    name: str
    records: int
    units: int
    answers: int
    answers_each: float | None
    lengths: Mapping[str, Lengths]


class PartSizes:
    """The sizes of a part of a corpus, which grow while its records are read."""

    def __init__(self, unit: str) -> None:
        self._size = LENGTHS[unit]
        self._lengths: dict[str, list[int]] = {}  # count, longest, total
        self.records = self.units = self.answers = self.most_answers = self._answered = 0

    def add(self, kind: Kind, record: Any, units: Iterable[Unit]) -> None:
        """Add a record with its units: the texts that are shown, and the references in words."""
        self.records += 1
        for labelled in kind.show_record(record):
            self._measure(labelled.label, labelled.text)
        for unit in units:
            self.units += 1
            for labelled in kind.show(unit):
                self._measure(labelled.label, labelled.text)
            if is_unanswerable(unit.key):
                continue
            people = kind.references(unit)
            self._answered += bool(people)
            self.most_answers = max(self.most_answers, sum(map(len, people)))
            for person in people:
                for reference in person:
                    # The reference of a query is the set of its answers, which may be empty.
                    for answer in getattr(reference, "solutions", (reference,)):
                        self.answers += 1
                        text = getattr(answer, "text", None)
                        if isinstance(text, str):  # a rating has none
                            self._measure("answer", text)

    def merge(self, other: PartSizes) -> None:
        """Add another part."""
        self.records += other.records
        self.units += other.units
        self.answers += other.answers
        self.most_answers = max(self.most_answers, other.most_answers)
        self._answered += other._answered
        for label, (count, longest, total) in other._lengths.items():
            self._note(label, count, longest, total)

    def lengths(self) -> dict[str, Lengths]:
        """Lengths by what is measured, in the order in which the labels first occurred."""
        return {
            label: Lengths(count, longest, total / count, total)
            for label, (count, longest, total) in self._lengths.items()
        }

    def column(self, name: str) -> SplitColumn:
        """The part as a column with a name."""
        each = self.answers / self._answered if self._answered else None
        return SplitColumn(name, self.records, self.units, self.answers, each, self.lengths())

    def _measure(self, label: str, text: str) -> None:
        size = self._size(text)
        self._note(label, 1, size, size)

    def _note(self, label: str, count: int, longest: int, total: int) -> None:
        lengths = self._lengths.setdefault(label, [0, 0, 0])
        lengths[0] += count
        lengths[1] = max(lengths[1], longest)
        lengths[2] += total
