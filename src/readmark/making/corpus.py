"""Corpus tables: sizes, lengths and distributions of any tests, side by side.

The rows are those of the tables in the CMRC 2018 and SMART documents: counts, maximum and
average lengths (Table 1), questions by type (Figure 2), by level and split (SMART's Table 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readmark.comprehension import type_of
from readmark.core.labels import ABSENT, in_order
from readmark.core.record_members import split_of
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.making.corpus_sizes import Lengths, PartSizes, SplitColumn
from readmark.making.reading_table import ReadingTable, reading_table
from readmark.text.lengths import length_unit

FIELDS = ("split", "level", "type", "difficulty", "category", "genre", "topic")
CROSSED = ("level", "type")
"""The fields that are counted by split; types by rule where the key has none."""
MOST_VALUES = 40
"""A field with more values than this is likely an id or free text, and no table is made of it."""
ALL_SPLITS = "all"

Crossed = Mapping[str, Mapping[str, int]]
"""Questions by value and split."""


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
    most_answers: int
    """The largest number of answers to a single unit."""
    unanswerable: int
    unkeyed: int
    unit: str
    lengths: Mapping[str, Lengths]
    distributions: Mapping[str, Mapping[str, int]]
    records_by_split: Mapping[str, int]
    reading: ReadingTable | None
    types: Mapping[str, int]
    """How many questions are of each type: the key's, else the one that the rules give."""
    splits: tuple[SplitColumn, ...]
    """One column per split and one for all, if the test has splits."""
    crossed: Mapping[str, Crossed]
    """Levels and types by split, if the test has splits."""
    types_by_english: int = 0
    """How many Chinese questions take the type of their parallel in an English test beside it."""

    @property
    def answers_per_unit(self) -> float:
        """References per unit, over the units that have any."""
        answerable = self.units - self.unkeyed - self.unanswerable
        return self.answers / answerable if answerable else 0.0


def corpus_table(
    test: Test,
    english: Mapping[str, str] | None = None,
    *,
    unit: str | None = None,
    with_reading: bool = True,
) -> CorpusTable:
    """Read a test and count; ``english`` has parallel questions by the shared id.

    ``unit`` is what lengths are counted in: characters for Chinese, words for other languages.
    Without ``with_reading`` the tables of the bilingual corpus are left out, which take longest.
    """
    facts = test.facts
    unit = unit or length_unit(test.language)
    parts: dict[str | None, PartSizes] = {}
    counts: dict[str, Counter[str]] = {name: Counter() for name in FIELDS}
    crossed: dict[str, dict[str, Counter[str]]] = {name: {} for name in CROSSED}
    types_by_english = 0
    for record in test.records():
        split = split_of(record)
        units = list(test.kind.units(record))
        parts.setdefault(split, PartSizes(unit)).add(test.kind, record, units)
        for question in units:
            for name in FIELDS:
                counts[name].update(_labels(question.field(name)))
            # A Chinese question takes the type of its English parallel, as BRCC's do.
            parallel = (english or {}).get(getattr(question.item, "shared_id", question.id))
            if test.language == "zh" and parallel is not None and question.field("type") is None:
                types_by_english += 1
            values = {
                "level": question.field("level"),
                "type": type_of(test, question, parallel=parallel),
            }
            for name in CROSSED:
                for label in _labels(values[name]):
                    crossed[name].setdefault(label, Counter())[split or ABSENT] += 1
    whole = PartSizes(unit)
    for part in parts.values():
        whole.merge(part)
    splits = [name for name in parts if name is not None]
    columns = [
        parts[name].column(ABSENT if name is None else name)
        for name in sorted(parts, key=split_order)
    ]
    tables = {
        name: {value: dict(values[value]) for value in sorted(values, key=in_order)}
        for name, values in crossed.items()
        if set(values) - {ABSENT} and len(values) <= MOST_VALUES
    }
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
        answers=whole.answers,
        most_answers=whole.most_answers,
        unanswerable=facts.count("unanswerable"),
        unkeyed=facts.units - facts.keyed,
        unit=unit,
        lengths=whole.lengths(),
        distributions={
            name: dict(sorted(count.items(), key=lambda item: in_order(item[0])))
            for name, count in counts.items()
            if set(count) - {ABSENT} and len(count) <= MOST_VALUES
        },
        records_by_split={name: parts[name].records for name in sorted(splits)},
        reading=reading_table(test, english) if with_reading else None,
        types={value: sum(row.values()) for value, row in tables.get("type", {}).items()},
        splits=(*columns, whole.column(ALL_SPLITS)) if splits else (),
        crossed=tables if splits else {},
        types_by_english=types_by_english,
    )


def _labels(value: Any) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else (value,)
    return [ABSENT if member is None else str(member) for member in values]
