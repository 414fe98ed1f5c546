"""Corpus tables: sizes, lengths and distributions of any tests, side by side.

The rows are those of the tables in the CMRC 2018 and SMART documents: counts, maximum and
average lengths (Table 1), questions by type (Figure 2), by level and split (SMART's Table 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.corpus.labels import ABSENT, in_order
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.setting.splits.order import split_order
from readmark.setting.tables.columns import Column, Counted, Lengths, unit_for
from readmark.setting.tables.reading import ReadingTable, reading_table
from readmark.setting.tables.typed import type_of

FIELDS = ("split", "level", "type", "difficulty", "category", "genre", "topic")
CROSSED = ("level", "type")
"""The fields that are told by split; types by rule where the key has none."""
MOST_VALUES = 40
WHOLE = "all"

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
    unanswerable: int
    unkeyed: int
    unit: str
    lengths: Mapping[str, Lengths]
    distributions: Mapping[str, Mapping[str, int]]
    records_by_split: Mapping[str, int]
    reading: ReadingTable | None
    types: Mapping[str, int]
    """Every question's type: the key's, else the one that the rules tell."""
    splits: tuple[Column, ...]
    """A column a split and one for all, where the test has splits."""
    crossed: Mapping[str, Crossed]
    """Levels and types by split, where the test has splits."""
    types_by_english: int = 0
    """Chinese questions whose type is that of their parallel in an English test beside this one."""

    @property
    def answers_per_unit(self) -> float:
        """References a unit, over the units that have any."""
        answerable = self.units - self.unkeyed - self.unanswerable
        return self.answers / answerable if answerable else 0.0


def corpus_table(
    test: Test, english: Mapping[str, str] | None = None, *, unit: str | None = None
) -> CorpusTable:
    """Read a test once more and count; ``english`` are parallel questions by the shared id.

    ``unit`` is what lengths are counted in: characters for Chinese, words for other languages.
    """
    facts = test.facts
    unit = unit or unit_for(test.language)
    counted: dict[str | None, Counted] = {}
    counts: dict[str, Counter[str]] = {name: Counter() for name in FIELDS}
    crossed: dict[str, dict[str, Counter[str]]] = {name: {} for name in CROSSED}
    borrowed = 0
    for record in test.records():
        split = getattr(record, "split", None)
        asked = list(test.kind.units(record))
        part = counted.setdefault(split, Counted(unit))
        part.add(test.kind, record, asked)
        for one in asked:
            for name in FIELDS:
                counts[name].update(_labels(one.field(name)))
            borrowed += _borrows(test, one, english)
            for name in CROSSED:
                for label in _labels(_crossed_field(test, one, name, english)):
                    crossed[name].setdefault(label, Counter())[split or ABSENT] += 1
    whole = Counted(unit)
    for part in counted.values():
        whole.merge(part)
    splits = [name for name in sorted(counted, key=split_order) if name is not None]
    told = {
        name: _in_order(values)
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
        unanswerable=facts.unanswerable,
        unkeyed=facts.units - facts.keyed,
        unit=unit,
        lengths=whole.lengths(),
        distributions={
            name: dict(sorted(count.items(), key=lambda item: in_order(item[0])))
            for name, count in counts.items()
            if set(count) - {ABSENT} and len(count) <= MOST_VALUES
        },
        records_by_split={name: counted[name].records for name in sorted(splits)},
        reading=reading_table(test, english),
        types={value: sum(row.values()) for value, row in told.get("type", {}).items()},
        splits=tuple(_columns(counted, whole)) if splits else (),
        crossed=told if splits else {},
        types_by_english=borrowed,
    )


def _columns(counted: Mapping[str | None, Counted], whole: Counted) -> Iterator[Column]:
    for split in sorted(counted, key=split_order):
        yield counted[split].column(ABSENT if split is None else split)
    yield whole.column(WHOLE)


def _crossed_field(test: Test, unit: Unit, name: str, english: Mapping[str, str] | None) -> Any:
    if name != "type":
        return unit.field(name)
    parallel = (english or {}).get(getattr(unit.item, "shared_id", unit.id))
    return type_of(test, unit, parallel=parallel)


def _borrows(test: Test, unit: Unit, english: Mapping[str, str] | None) -> bool:
    """Whether the type of a question is told by the parallel English one, as BRCC's are."""
    shared = getattr(unit.item, "shared_id", unit.id)
    return test.language == "zh" and shared in (english or {}) and unit.field("type") is None


def _labels(value: Any) -> list[str]:
    several = value if isinstance(value, (list, tuple)) else (value,)
    return [ABSENT if one is None else str(one) for one in several]


def _in_order(values: Mapping[str, Counter[str]]) -> dict[str, dict[str, int]]:
    return {value: dict(values[value]) for value in sorted(values, key=in_order)}
