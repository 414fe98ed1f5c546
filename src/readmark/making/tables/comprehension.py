"""What the bilingual corpus document tabulates of a comprehension test beside its sizes.

The annotation it carries (Tables 2 and 8), question types (3 to 5), how many of a question's words
stand in its answer sentence (11), and the range of its readability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.records import PUBLISHER, Layer, Offsets, Unit
from readmark.core.test import Test
from readmark.readability.english_formulas import grades
from readmark.readability.formulas import readability
from readmark.text.answers.places import holding, passage_sentences, recalled, taken_by
from readmark.text.bags import Bags
from readmark.text.questions.types import question_type

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
    document, and told by its own words where there is none.
    """
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
                parallel = (english or {}).get(unit.item.shared_id)
                types[question_type(unit.item.text, test.language, parallel=parallel)] += 1
            asked = bags.of(unit.item.text)
            right = _answer_sentences(test, unit, sentences, said, bags)
            if asked and right:
                # A question answered in several places is as near as its nearest.
                shares.append(max(len(asked & said[at]) / len(asked) for at in right))
    overlap = Overlap(sum(shares) / len(shares), len(shares)) if shares else None
    counted = {name: annotations[name] for name in sorted(annotations, key=_ORDER.index)}
    easiest, hardest = min(hardness, default=None), max(hardness, default=None)
    ends = (easiest, hardest) if easiest is not None and hardest is not None else None
    is_english = test.language == "en"
    return ReadingTable(
        counted,
        dict(sorted(types.items())),
        overlap,
        grades=(grades(ends[0]), grades(ends[1])) if ends and is_english else None,
        index=ends if ends and not is_english else None,
    )


def _answer_sentences(
    test: Test,
    unit: Unit,
    sentences: list[Offsets],
    said: Sequence[frozenset[str]],
    bags: Bags,
) -> frozenset[int]:
    """The sentences marked, else those with an answer's span, else the one that recalls most."""
    if unit.key is None or unit.key.unanswerable:
        return frozenset()
    if unit.key.sentences:
        return frozenset(at for one in unit.key.sentences for at in taken_by(one, sentences))
    answers = [one for person in test.kind.references(unit) for one in person if one.text]
    spans = [one for one in answers if one.annotator != PUBLISHER]
    held = holding(spans, unit.record.text, sentences)
    if held or spans:
        return held
    recalls = recalled([bags.of(one.text) for one in answers], said)
    best = max(recalls, default=0.0)
    return frozenset({recalls.index(best)}) if best else frozenset()


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
