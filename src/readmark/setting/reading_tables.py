"""What the bilingual corpus document tabulates of a comprehension test beside its sizes.

The annotation it carries (Tables 2 and 8), question types (3 to 5), how many of a question's words
stand in its answer sentence (11), and the range of its readability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.corpus.test import Test
from readmark.corpus.values import Layer, Unit
from readmark.text.answer_sentences import holding, passage_sentences, taken_by
from readmark.text.bags import Bags
from readmark.text.question_types import question_type
from readmark.text.readability import readability
from readmark.text.readability.dale_chall import grades

LANGUAGES = ("en", "zh")


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


def reading_table(test: Test) -> ReadingTable | None:
    """Count what a comprehension test in English or Chinese holds; None for any other."""
    if test.kind.name != "comprehension" or test.language not in LANGUAGES:
        return None
    annotations: Counter[str] = Counter()
    types: Counter[str] = Counter()
    shares: list[float] = []
    hardness: list[float] = []
    bags = Bags(test.language)
    for record in test.records():
        annotations.update(dict(_annotations(record)))
        found = readability(record.text, test.language)
        if found is not None:
            hardness.append(getattr(found, "dale_chall" if test.language == "en" else "index"))
        sentences = passage_sentences(record, test.language) if record.questions else []
        said = [bags.of(record.text[start:end]) for start, end in sentences]
        for unit in test.kind.units(record):
            if unit.field("type") is None:
                types[question_type(unit.item.text, test.language)] += 1
            asked = bags.of(unit.item.text)
            right = _answer_sentences(test, unit, sentences)
            if asked and right:
                # A question answered in several places is as near as its nearest.
                shares.append(max(len(asked & said[at]) / len(asked) for at in right))
    overlap = Overlap(sum(shares) / len(shares), len(shares)) if shares else None
    counted = {name: annotations[name] for name in sorted(annotations, key=_ORDER.index)}
    easiest, hardest = min(hardness, default=None), max(hardness, default=None)
    ends = (easiest, hardest) if easiest is not None and hardest is not None else None
    english = test.language == "en"
    return ReadingTable(
        counted,
        dict(sorted(types.items())),
        overlap,
        grades=(grades(ends[0]), grades(ends[1])) if ends and english else None,
        index=ends if ends and not english else None,
    )


def _answer_sentences(test: Test, unit: Unit, sentences: list[tuple[int, int]]) -> frozenset[int]:
    """The sentences marked, else those that hold an answer's span."""
    if unit.key is None or unit.key.unanswerable:
        return frozenset()
    if unit.key.sentences:
        return frozenset(at for one in unit.key.sentences for at in taken_by(one, sentences))
    answers = [one for person in test.kind.references(unit) for one in person if one.text]
    return holding(answers, unit.record.text, sentences)


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
    marked = sum(len(one.key.sentences) for one in record.questions if one.key is not None)
    if marked:
        yield "answer sentence", marked
