"""One column of CMRC 2018's Table 1: how many questions, answers a question, and how long.

A column is a split, or a whole test. Lengths are of passages, questions and answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.corpus.kinds import Kind
from readmark.corpus.values import Unit

_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")

UNITS: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "tokens": lambda text: len(_TOKEN.findall(text)),
}
"""What lengths are counted in. Tokens are those of CMRC 2018's Table 1, as near as its figures
tell: runs of Latin letters and digits are one, any other character but white space is one."""


def unit_for(language: str) -> str:
    """Characters for Chinese, words for any other language."""
    return "characters" if language == "zh" else "words"


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long texts of one sort are, in the table's unit."""

    count: int
    longest: int
    mean: float
    total: int


@dataclass(frozen=True, slots=True)
class Column:
    """A split in numbers; ``answers_each`` is over the questions that have answers in words."""

    name: str
    records: int
    units: int
    answers: int
    answers_each: float | None
    lengths: Mapping[str, Lengths]


class Counted:
    """Counts records as they come by."""

    def __init__(self, unit: str) -> None:
        self._size = UNITS[unit]
        self._lengths: dict[str, list[int]] = {}  # count, longest, total
        self.records = self.units = self.answers = self._answered = 0

    def add(self, kind: Kind, record: Any, units: Iterable[Unit]) -> None:
        """Take a record with its units: what is shown, and the references in words."""
        self.records += 1
        for shown in kind.show_record(record):
            self._measure(shown.label, shown.text)
        for unit in units:
            self.units += 1
            for shown in kind.show(unit):
                self._measure(shown.label, shown.text)
            if getattr(unit.key, "unanswerable", False):
                continue
            people = kind.references(unit)
            self._answered += bool(people)
            for person in people:
                for one in person:
                    self.answers += 1
                    if isinstance(text := getattr(one, "text", None), str):  # a rating has none
                        self._measure("answer", text)

    def merge(self, other: Counted) -> None:
        """Take all that the other has counted."""
        self.records += other.records
        self.units += other.units
        self.answers += other.answers
        self._answered += other._answered
        for label, (count, longest, total) in other._lengths.items():
            self._note(label, count, longest, total)

    def lengths(self) -> dict[str, Lengths]:
        """Lengths by what is measured, in the order in which they came up."""
        return {
            label: Lengths(count, longest, total / count, total)
            for label, (count, longest, total) in self._lengths.items()
        }

    def column(self, name: str) -> Column:
        """What was counted, under a name."""
        each = self.answers / self._answered if self._answered else None
        return Column(name, self.records, self.units, self.answers, each, self.lengths())

    def _measure(self, label: str, text: str) -> None:
        size = self._size(text)
        self._note(label, 1, size, size)

    def _note(self, label: str, count: int, longest: int, total: int) -> None:
        known = self._lengths.setdefault(label, [0, 0, 0])
        known[0] += count
        known[1] = max(known[1], longest)
        known[2] += total
