"""Corpus tables: sizes, lengths and distributions of any tests, side by side.

The rows are those of the tables in the CMRC 2018 and SMART documents: counts, maximum and
average lengths, questions by level, type and split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.corpus.labels import in_order
from readmark.corpus.test import Test
from readmark.setting.reading_tables import ReadingTable, reading_table

FIELDS = ("split", "level", "type", "difficulty", "category", "genre", "topic")
MOST_VALUES = 40


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long texts of one sort are, in the table's unit."""

    count: int
    longest: int
    mean: float
    total: int


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """One test in numbers. ``unit`` names what lengths are counted in."""

    name: str
    kind: str
    language: str
    paper: str
    key: str
    record_noun: str
    unit_noun: str
    records: int
    units: int
    answers: int
    unanswerable: int
    unkeyed: int
    unit: str
    lengths: Mapping[str, Lengths]
    distributions: Mapping[str, Mapping[str, int]]
    records_by_split: Mapping[str, int]
    reading: ReadingTable | None = None

    @property
    def answers_per_unit(self) -> float:
        """References a unit, over the units that have any."""
        answerable = self.units - self.unkeyed - self.unanswerable
        return self.answers / answerable if answerable else 0.0


class _Tally:
    def __init__(self) -> None:
        self.count = self.longest = self.total = 0

    def add(self, length: int) -> None:
        self.count += 1
        self.total += length
        self.longest = max(self.longest, length)

    def lengths(self) -> Lengths:
        return Lengths(self.count, self.longest, self.total / self.count, self.total)


def corpus_table(test: Test, english: Mapping[str, str] | None = None) -> CorpusTable:
    """Read a test once more and count; ``english`` are parallel questions by the shared id."""
    facts = test.facts
    characters = test.language == "zh"
    lengths: dict[str, _Tally] = {}
    counts: dict[str, Counter[str]] = {name: Counter() for name in FIELDS}
    answers = 0
    for label, text in _texts(test):
        answers += label == "answer"
        size = len(text) if characters else len(text.split())
        lengths.setdefault(label, _Tally()).add(size)
    splits = Counter(
        record.split for record in test.records() if getattr(record, "split", None) is not None
    )
    for unit in test.units():
        for name in FIELDS:
            value = unit.field(name)
            for one in value if isinstance(value, (list, tuple)) else (value,):
                counts[name][str(one) if one is not None else "-"] += 1
    return CorpusTable(
        name=test.header.name or test.file,
        kind=test.kind.name,
        language=test.language,
        paper=facts.paper,
        key=facts.key,
        record_noun=test.kind.record_noun,
        unit_noun=test.kind.unit_noun,
        records=facts.records,
        units=facts.units,
        answers=answers,
        unanswerable=facts.unanswerable,
        unkeyed=facts.units - facts.keyed,
        unit="characters" if characters else "words",
        lengths={label: one.lengths() for label, one in lengths.items()},
        distributions={
            name: dict(sorted(count.items(), key=lambda item: in_order(item[0])))
            for name, count in counts.items()
            if set(count) - {"-"} and len(count) <= MOST_VALUES
        },
        records_by_split=dict(sorted(splits.items())),
        reading=reading_table(test, english),
    )


def _texts(test: Test) -> Iterator[tuple[str, str]]:
    """Every text of a test with its label: what is shown, and the references in words."""
    kind = test.kind
    for record in test.records():
        for shown in kind.show_record(record):
            yield shown.label, shown.text
        for unit in kind.units(record):
            for shown in kind.show(unit):
                yield shown.label, shown.text
            if getattr(unit.key, "unanswerable", False):
                continue
            for person in kind.references(unit):
                for one in person:
                    yield "answer", getattr(one, "text", str(one))
