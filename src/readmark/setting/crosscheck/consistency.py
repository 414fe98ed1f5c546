"""Consistency of noun phrases between the English and the Chinese side of a parallel test.

"Design and Development of a Bilingual Reading Comprehension Corpus", section 4.3: Chinese phrases
follow the English ones as far as they can; one without an English counterpart stays a phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.sides import is_far
from readmark.corpus.test import Test
from readmark.corpus.values import Layers, Offsets, Passage
from readmark.setting.crosscheck.alignment import (
    AlignedPair,
    NounPhrase,
    align,
    content_words,
)
from readmark.setting.crosscheck.english import English, sentence_beads, shared_id
from readmark.setting.crosscheck.together import Translations, words_together
from readmark.text.answer_sentences import passage_sentences

Counterparts = list[tuple[Offsets, Offsets, AlignedPair]]
"""English and Chinese spans that say the same, with what spoke for it."""


@dataclass(frozen=True, slots=True)
class TextConsistency:
    """The noun phrases of one parallel text: how many, which go together, which stand alone."""

    record: str
    unit: str | None
    english_text: str
    chinese_text: str
    english: tuple[Offsets, ...]
    chinese: tuple[Offsets, ...]
    pairs: Counterparts

    @property
    def english_alone(self) -> list[Offsets]:
        """English phrases without a counterpart."""
        taken = {one for one, _, _ in self.pairs}
        return [span for span in self.english if span not in taken]

    @property
    def chinese_alone(self) -> list[Offsets]:
        """Chinese phrases without a counterpart: they stay."""
        taken = {other for _, other, _ in self.pairs}
        return [span for span in self.chinese if span not in taken]

    @property
    def far(self) -> bool:
        """Whether the numbers of phrases are far apart, by the rule of ``check``."""
        return is_far(len(self.english), len(self.chinese))


@dataclass(slots=True)
class Consistency:
    """Both sides of a parallel test."""

    english: str
    chinese: str
    texts: list[TextConsistency] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def told(self) -> dict[str, Any]:
        """As one JSON document."""
        return {
            "english": self.english,
            "chinese": self.chinese,
            "texts": [_told(one) for one in self.texts],
            "notes": self.notes,
        }


def consistency(test: Test, english: English) -> Consistency:
    """Count and align the noun phrases of every parallel passage and question."""
    made = Consistency(english.file, test.file)
    alone: list[str] = []
    unmarked: list[str] = []
    sides: list[tuple[Passage, Passage]] = []
    language = test.language
    if language != "zh":
        raise DataError(f"is {language}, expected the Chinese side", file=test.file)
    for passage in test.records():
        own = english.passage(passage)
        if own is None:
            alone.append(passage.id)
        elif "np" not in own.layers or "np" not in passage.layers:
            unmarked.append(passage.id)
        else:
            sides.append((own, passage))
    known = own_words(sides, language)
    for own, passage in sides:
        made.texts += _of_passage(own, passage, language, known)
    for ids, what in ((alone, "no English side"), (unmarked, "noun phrases on one side only")):
        if ids:
            named = ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")
            made.notes.append(f"passages with {what} ({len(ids)}): {named}")
    if not made.texts:
        raise DataError(f"has no noun phrases parallel to those of {english.file}", file=test.file)
    return made


def aligned(
    english: Passage, chinese: Passage, language: str, known: Translations | None = None
) -> Counterparts:
    """Noun phrases of two parallel passages that go together, sentence by sentence."""
    found: Counterparts = []
    for here, there in _sentence_pairs(english, chinese, language):
        own = english.text, english.layers, here
        found += _within(*own, chinese.text, chinese.layers, there, known)
    return found


def own_words(sides: Iterable[tuple[Passage, Passage]], language: str) -> Translations:
    """Translations that a parallel test itself tells, by words of noun phrases together."""
    pairs = []
    for english, chinese in sides:
        for here, there in _sentence_pairs(english, chinese, language):
            _, phrases = _phrases(english.text, english.layers, here)
            words = {word for one in phrases for word in content_words(one.text)}
            pairs.append((words, _words_within(chinese, there)))
    return words_together(pairs)


def _words_within(chinese: Passage, within: Offsets) -> set[str]:
    """The words of Chinese noun phrases, of two characters or more: shorter ones say too little."""
    tokens = chinese.layers.get("token")
    spans, _ = _phrases(chinese.text, chinese.layers, within)
    return {
        chinese.text[start:end]
        for start, end in (tokens.spans if tokens is not None else ())
        if end - start > 1 and any(first <= start and end <= last for first, last in spans)
    }


def _sentence_pairs(
    english: Passage, chinese: Passage, language: str
) -> Iterator[tuple[Offsets, Offsets]]:
    ours, theirs = passage_sentences(english, "en"), passage_sentences(chinese, language)
    for mine, those in sentence_beads(english, chinese, language):
        if mine and those:
            yield _hull([ours[at] for at in mine]), _hull([theirs[at] for at in those])


def _of_passage(
    english: Passage, chinese: Passage, language: str, known: Translations
) -> Iterator[TextConsistency]:
    id = shared_id(chinese)
    yield TextConsistency(
        id,
        None,
        english.text,
        chinese.text,
        _spans(english.layers),
        _spans(chinese.layers),
        aligned(english, chinese, language, known),
    )
    asked = {one.shared_id: one for one in english.questions}
    for question in chinese.questions:
        own = asked.get(question.shared_id)
        if own is None or not ("np" in own.layers or "np" in question.layers):
            continue
        pairs = _within(
            own.text,
            own.layers,
            (0, len(own.text)),
            question.text,
            question.layers,
            (0, len(question.text)),
            known,
        )
        spans = _spans(own.layers), _spans(question.layers)
        yield TextConsistency(id, question.shared_id, own.text, question.text, *spans, pairs)


def _within(
    english: str,
    english_layers: Layers,
    here: Offsets,
    chinese: str,
    chinese_layers: Layers,
    there: Offsets,
    known: Translations | None,
) -> Counterparts:
    one, phrases = _phrases(english, english_layers, here)
    other, others = _phrases(chinese, chinese_layers, there)
    return [
        (one[pair.english], other[pair.chinese], pair) for pair in align(phrases, others, known)
    ]


def _phrases(text: str, layers: Layers, within: Offsets) -> tuple[list[Offsets], list[NounPhrase]]:
    first, last = within
    ne = layers.get("ne")
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False)) if ne is not None else {}
    spans = [span for span in _spans(layers) if first <= span[0] and span[1] <= last]
    length = max(1, last - first)
    return spans, [
        NounPhrase(text[start:end], types.get((start, end)), ((start + end) / 2 - first) / length)
        for start, end in spans
    ]


def _spans(layers: Layers) -> tuple[Offsets, ...]:
    np = layers.get("np")
    return tuple(sorted(np.spans)) if np is not None else ()


def _hull(spans: Sequence[Offsets]) -> Offsets:
    return spans[0][0], spans[-1][1]


def _told(one: TextConsistency) -> dict[str, Any]:
    return {
        "id": one.record,
        "unit": one.unit,
        "english": len(one.english),
        "chinese": len(one.chinese),
        "aligned": [
            {
                "english": _quoted(one.english_text, own),
                "chinese": _quoted(one.chinese_text, other),
                "score": round(pair.score, 3),
                "why": list(pair.why),
            }
            for own, other, pair in one.pairs
        ],
        "english_alone": [_quoted(one.english_text, span) for span in one.english_alone],
        "chinese_alone": [_quoted(one.chinese_text, span) for span in one.chinese_alone],
        "far": one.far,
    }


def _quoted(text: str, span: Offsets) -> dict[str, Any]:
    return {"span": list(span), "quote": text[slice(*span)]}
