"""Corpus tables: sizes, lengths and distributions of any tests, side by side.

The rows are those of the tables in the CMRC 2018 and SMART documents: counts, maximum and
average lengths (Table 1), questions by type (Figure 2), by level and split (SMART's Table 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.comprehension import QuestionOverlap, type_of
from readmark.core.extras import MissingExtra
from readmark.core.labels import ABSENT, in_order
from readmark.core.records import Layer, Unit
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.hooks import Kind
from readmark.readability import grades, hardness
from readmark.text.lengths import LENGTHS, length_unit
from readmark.text.questions.types import RULED, question_type

# One column of CMRC 2018's Table 1: how many questions, answers a question, and how long.


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long texts of one sort are, in the table's unit."""

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


class Counted:
    """Counts records as they come by."""

    def __init__(self, unit: str) -> None:
        self._size = LENGTHS[unit]
        self._lengths: dict[str, list[int]] = {}  # count, longest, total
        self.records = self.units = self.answers = self.most_answers = self._answered = 0

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
            self.most_answers = max(self.most_answers, sum(map(len, people)))
            for person in people:
                for reference in person:
                    # The reference of a query is the set of its answers, which may be empty.
                    for answer in getattr(reference, "solutions", (reference,)):
                        self.answers += 1
                        text = getattr(answer, "text", None)
                        if isinstance(text, str):  # a rating has none
                            self._measure("answer", text)

    def merge(self, other: Counted) -> None:
        """Take all that the other has counted."""
        self.records += other.records
        self.units += other.units
        self.answers += other.answers
        self.most_answers = max(self.most_answers, other.most_answers)
        self._answered += other._answered
        for label, (count, longest, total) in other._lengths.items():
            self._note(label, count, longest, total)

    def lengths(self) -> dict[str, Lengths]:
        """Lengths by what is measured, in the order in which they came up."""
        return {
            label: Lengths(count, longest, total / count, total)
            for label, (count, longest, total) in self._lengths.items()
        }

    def column(self, name: str) -> SplitColumn:
        """What was counted, under a name."""
        each = self.answers / self._answered if self._answered else None
        return SplitColumn(name, self.records, self.units, self.answers, each, self.lengths())

    def _measure(self, label: str, text: str) -> None:
        size = self._size(text)
        self._note(label, 1, size, size)

    def _note(self, label: str, count: int, longest: int, total: int) -> None:
        known = self._lengths.setdefault(label, [0, 0, 0])
        known[0] += count
        known[1] = max(known[1], longest)
        known[2] += total


FIELDS = ("split", "level", "type", "difficulty", "category", "genre", "topic")
CROSSED = ("level", "type")
"""The fields that are counted by split; types by rule where the key has none."""
MOST_VALUES = 40
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
    """Of a single unit."""
    unanswerable: int
    unkeyed: int
    unit: str
    lengths: Mapping[str, Lengths]
    distributions: Mapping[str, Mapping[str, int]]
    records_by_split: Mapping[str, int]
    reading: ReadingTable | None
    types: Mapping[str, int]
    """Every question's type: the key's, else the one given by the rules."""
    splits: tuple[SplitColumn, ...]
    """One column per split and one for all, where the test has splits."""
    crossed: Mapping[str, Crossed]
    """Levels and types by split, where the test has splits."""
    types_by_english: int = 0
    """Chinese questions that take the type of their parallel in an English test nearby."""

    @property
    def answers_per_unit(self) -> float:
        """References a unit, over the units that have any."""
        answerable = self.units - self.unkeyed - self.unanswerable
        return self.answers / answerable if answerable else 0.0


def corpus_table(
    test: Test,
    english: Mapping[str, str] | None = None,
    *,
    unit: str | None = None,
    with_reading: bool = True,
) -> CorpusTable:
    """Read a test once more and count; ``english`` are parallel questions by the shared id.

    ``unit`` is what lengths are counted in: characters for Chinese, words for other languages.
    Without ``with_reading`` the tables of the bilingual corpus are left out, which take longest.
    """
    facts = test.facts
    unit = unit or length_unit(test.language)
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
            # A Chinese question takes the type of its English parallel, as BRCC's do.
            parallel = (english or {}).get(getattr(one.item, "shared_id", one.id))
            own = one.field("type")
            borrowed += test.language == "zh" and parallel is not None and own is None
            values = {"level": one.field("level"), "type": type_of(test, one, parallel=parallel)}
            for name in CROSSED:
                for label in _labels(values[name]):
                    crossed[name].setdefault(label, Counter())[split or ABSENT] += 1
    whole = Counted(unit)
    for part in counted.values():
        whole.merge(part)
    ordered = sorted(counted, key=split_order)
    parts = (counted[name].column(ABSENT if name is None else name) for name in ordered)
    splits = [name for name in ordered if name is not None]
    told = {
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
        records_by_split={name: counted[name].records for name in sorted(splits)},
        reading=reading_table(test, english) if with_reading else None,
        types={value: sum(row.values()) for value, row in told.get("type", {}).items()},
        splits=(*parts, whole.column(ALL_SPLITS)) if splits else (),
        crossed=told if splits else {},
        types_by_english=borrowed,
    )


def _labels(value: Any) -> list[str]:
    several = value if isinstance(value, (list, tuple)) else (value,)
    return [ABSENT if one is None else str(one) for one in several]


# What the bilingual corpus document tabulates of a comprehension test: the annotation it carries
# (Tables 2 and 8), question types (3 to 5), how many of a question's words are in its answer
# sentence (11), and the range of its readability.


@dataclass(frozen=True, slots=True)
class Overlap:
    """The mean share of a question's words that its answer sentence has, after stemming."""

    ratio: float
    units: int


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Annotation counts, types by rule where the key has none, overlap, and how hard it reads."""

    annotations: Mapping[str, int]
    types: Mapping[str, int]
    overlap: Overlap | None
    grades: tuple[str, str] | None
    """Dale-Chall grades of the easiest and the hardest English passage."""
    index: tuple[float, float] | None
    """The Chinese index of the easiest and the hardest passage."""
    not_measured: str | None
    """Why there are no grades and no index: the extra that they need."""
    overlap_by_split: Mapping[str, Overlap]
    overlap_by_question: Mapping[str, float]


def english_questions(tests: Sequence[Test]) -> dict[str, str]:
    """English questions by the id that both sides share, for the types of their parallels."""
    return {
        unit.item.shared_id: unit.item.text
        for test in tests
        if test.kind.name == "comprehension" and test.language == "en"
        for unit in test.units()
    }


def reading_table(test: Test, english: Mapping[str, str] | None = None) -> ReadingTable | None:
    """Count what a comprehension test in English or Chinese holds; None for any other.

    A Chinese question's type is that of its parallel among the ``english`` ones, as in the
    document, and detected from its own words where there is none.
    """
    if test.kind.name != "comprehension" or test.language not in RULED:
        return None
    annotations: Counter[str] = Counter()
    types: Counter[str] = Counter()
    shares: dict[str, float] = {}
    split_of: dict[str, str] = {}
    scores: list[float] = []
    not_measured = None
    question_overlap = QuestionOverlap(test.kind, test.language)
    for record in test.records():
        annotations.update(dict(_annotations(record)))
        if not_measured is None:
            try:
                score = hardness(record.text, test.language)
            except MissingExtra as missing:  # the other figures need no extra
                not_measured, score = f"needs readmark[{missing.extra}]", None
            if score is not None:
                scores.append(score)
        for unit in test.kind.units(record):
            if unit.field("type") is None:
                parallel = (english or {}).get(unit.item.shared_id)
                types[question_type(unit.item.text, test.language, parallel=parallel)] += 1
            share = question_overlap.with_answer_sentence(unit)
            if share is not None:
                shares[unit.id] = share
                split_of[unit.id] = record.split or ABSENT
    counted = {name: annotations[name] for name in sorted(annotations, key=_ORDER.index)}
    ends = (min(scores), max(scores)) if scores else None
    is_english = test.language == "en"
    return ReadingTable(
        counted,
        dict(sorted(types.items())),
        mean_overlap(shares.values()),
        grades=(grades(ends[0]), grades(ends[1])) if ends and is_english else None,
        index=ends if ends and not is_english else None,
        not_measured=not_measured,
        overlap_by_split={
            split: overlap
            for split in sorted(set(split_of.values()), key=split_order)
            if (overlap := mean_overlap(shares[id] for id in shares if split_of[id] == split))
        },
        overlap_by_question=shares,
    )


def mean_overlap(shares: Iterable[float]) -> Overlap | None:
    """The mean of questions' shares; None without any."""
    found = list(shares)
    return Overlap(sum(found) / len(found), len(found)) if found else None


_ORDER = (
    *("token", "sentence", "noun phrase"),
    *("PERSON", "LOCATION", "TIME", "NUM", "ORGANIZATION"),
    *("co-reference", "answer sentence"),
)


def _annotations(record: Any) -> Iterator[tuple[str, int]]:
    """What a passage is annotated with; questions' annotation is not counted, as in Table 8."""
    layers: Mapping[str, Layer] = record.layers
    hidden: Mapping[str, Layer] = record.key.layers if record.key is not None else {}
    for name, called in (("token", "token"), ("sentence", "sentence"), ("np", "noun phrase")):
        if name in layers:
            yield called, len(layers[name].spans)
    types = Counter(layers["ne"].columns.get("type", ())) if "ne" in layers else Counter()
    yield from ((type, count) for type, count in types.items() if type in _ORDER)
    if "mention" in hidden:
        refs = hidden["mention"].columns.get("ref", ())
        yield "co-reference", sum(ref is not None for ref in refs)
    marked = sum(
        len(question.key.sentences) for question in record.questions if question.key is not None
    )
    if marked:
        yield "answer sentence", marked
