"""What the bilingual corpus document tabulates of a comprehension test.

The annotation that it carries (Tables 2 and 8), question types (3 to 5), how many of a question's
words are in its answer sentence (11), and the range of its readability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.comprehension import QuestionOverlap
from readmark.core.extras import MissingExtra
from readmark.core.labels import ABSENT
from readmark.core.records import Layer
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.readability import grades, hardness
from readmark.text.questions.types import RULED, question_type

_ORDER = (
    "token",
    "sentence",
    "noun phrase",
    "PERSON",
    "LOCATION",
    "TIME",
    "NUM",
    "ORGANIZATION",
    "co-reference",
    "answer sentence",
)
"""What is annotated, in the order of the document's Table 8."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The mean share of a question's words that its answer sentence has, after stemming."""

    ratio: float
    units: int


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Annotation counts, types by rule where the key has none, overlap, and readability."""

    annotations: Mapping[str, int]
    types: Mapping[str, int]
    overlap: Overlap | None
    grades: tuple[str, str] | None
    """Dale-Chall grades of the easiest and the hardest English passage."""
    index: tuple[float, float] | None
    """The Chinese index of the easiest and the hardest passage."""
    not_measured: str | None
    """Why there are no grades and no index: the extra that must be installed."""
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
    """The table of a comprehension test in English or Chinese; None for any other test.

    A Chinese question's type is that of its parallel among the ``english`` ones, as in the
    document, or follows from its own words if it has no parallel.
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
    extremes = (min(scores), max(scores)) if scores else None
    is_english = test.language == "en"
    return ReadingTable(
        {name: annotations[name] for name in sorted(annotations, key=_ORDER.index)},
        dict(sorted(types.items())),
        _mean_overlap(shares.values()),
        grades=(grades(extremes[0]), grades(extremes[1])) if extremes and is_english else None,
        index=extremes if extremes and not is_english else None,
        not_measured=not_measured,
        overlap_by_split={
            split: overlap
            for split in sorted(set(split_of.values()), key=split_order)
            if (overlap := _mean_overlap(shares[id] for id in shares if split_of[id] == split))
        },
        overlap_by_question=shares,
    )


def _mean_overlap(shares: Iterable[float]) -> Overlap | None:
    values = list(shares)
    return Overlap(sum(values) / len(values), len(values)) if values else None


def _annotations(record: Any) -> Iterator[tuple[str, int]]:
    """How much of a passage is annotated; layers of questions are not counted, as in Table 8."""
    layers: Mapping[str, Layer] = record.layers
    hidden: Mapping[str, Layer] = record.key.layers if record.key is not None else {}
    for name, label in (("token", "token"), ("sentence", "sentence"), ("np", "noun phrase")):
        if name in layers:
            yield label, len(layers[name].spans)
    types = Counter(layers["ne"].columns.get("type", ())) if "ne" in layers else Counter()
    yield from ((type, count) for type, count in types.items() if type in _ORDER)
    if "mention" in hidden:
        refs = hidden["mention"].columns.get("ref", ())
        yield "co-reference", sum(ref is not None for ref in refs)
    sentences = sum(
        len(question.key.sentences) for question in record.questions if question.key is not None
    )
    if sentences:
        yield "answer sentence", sentences
