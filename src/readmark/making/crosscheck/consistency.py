"""Consistency of noun phrases between the English and the Chinese test of a parallel corpus.

"Design and Development of a Bilingual Reading Comprehension Corpus", section 4.3: Chinese phrases
follow the English ones as far as they can; one without an English counterpart stays a phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from readmark.core.counts import counted
from readmark.core.display import Result, headline, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids, percent
from readmark.core.records import Layers, Offsets, Passage, Question
from readmark.core.test import Test
from readmark.formats.parallel_checks import is_far
from readmark.making.crosscheck.english import English
from readmark.making.crosscheck.phrase_alignment import (
    AlignedPair,
    SidePhrase,
    align,
    content_words,
)
from readmark.making.crosscheck.sentence_alignment import sentence_beads
from readmark.making.crosscheck.translations import Translations, cooccurring_words
from readmark.text.answers.sentences import passage_sentences

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
        paired = {english for english, _, _ in self.pairs}
        return [span for span in self.english if span not in paired]

    @property
    def chinese_alone(self) -> list[Offsets]:
        """Chinese phrases without a counterpart: they stay."""
        paired = {chinese for _, chinese, _ in self.pairs}
        return [span for span in self.chinese if span not in paired]

    @property
    def far(self) -> bool:
        """Whether the numbers of phrases are far apart, by the rule of ``check``."""
        return is_far(len(self.english), len(self.chinese))


@dataclass(frozen=True)
class Consistency(Result):
    """The noun phrases of both sides of a parallel test."""

    english: str
    chinese: str
    texts: Sequence[TextConsistency]
    notes: tuple[str, ...] = ()
    shown: int = 10
    """How many texts are printed with their unmatched phrases."""

    def as_json(self) -> dict[str, Any]:
        return {
            "english": self.english,
            "chinese": self.chinese,
            "texts": [_text_json(text) for text in self.texts],
            "notes": self.notes,
        }

    def show(self, console: Console) -> None:
        """Counts by passage (questions together), then the phrases without a counterpart."""
        passages = [text for text in self.texts if text.unit is None]
        questions = [text for text in self.texts if text.unit is not None]
        files = headline("noun phrases", ": ", self.chinese, f" compared with {self.english}")
        console.print(files)
        table = plain_table("passage", "English", "Chinese", "aligned", "of Chinese", "")
        for text in passages:
            table.add_row(text.record, *_cells([text]), "far apart" if text.far else "")
        table.add_section()
        table.add_row("passages", *_cells(passages), "")
        if questions:
            table.add_row("questions", *_cells(questions), "")
        console.print(table)
        unmatched = [text for text in self.texts if text.english_alone or text.chinese_alone]
        for text in unmatched[: self.shown]:
            console.print(Text(":".join(filter(None, (text.record, text.unit))), "bold"))
            for language, full_text, spans in (
                ("Chinese", text.chinese_text, text.chinese_alone),
                ("English", text.english_text, text.english_alone),
            ):
                quotes = ", ".join(" ".join(full_text[slice(*span)].split()) for span in spans)
                if quotes:
                    line = Text(f"{language} without a counterpart: {quotes}")
                    console.print(Padding(line, (0, 0, 0, 2), expand=False))
        if len(unmatched) > self.shown > 0:
            more = len(unmatched) - self.shown
            console.print(
                f"and {counted(more, 'more text')}; --show {len(unmatched)} lists them all"
            )


def _cells(texts: Sequence[TextConsistency]) -> list[str]:
    english = sum(len(text.english) for text in texts)
    chinese = sum(len(text.chinese) for text in texts)
    pairs = sum(len(text.pairs) for text in texts)
    share = percent(pairs / chinese if chinese else None)
    return [f"{english:,}", f"{chinese:,}", f"{pairs:,}", share]


def compare_phrases(first: Test, second: Test, *, shown: int = 10) -> Consistency:
    """Count and align the noun phrases of every parallel passage and question of two tests.

    One of them is in English, the other in Chinese.
    """
    tests = {test.language: test for test in (first, second)}
    if set(tests) != {"en", "zh"}:
        raise UsageError(
            f"noun phrases are compared between an English and a Chinese test; {first.file} is in "
            f"{first.language}, {second.file} in {second.language}"
        )
    english, chinese = English(tests["en"]), tests["zh"]
    without_parallel: list[str] = []
    unmarked: list[str] = []
    pairs: list[tuple[Passage, Passage]] = []
    for passage in chinese.records():
        english_passage = english.passage(passage)
        if english_passage is None:
            without_parallel.append(passage.id)
        elif "np" not in english_passage.layers or "np" not in passage.layers:
            unmarked.append(passage.id)
        else:
            pairs.append((english_passage, passage))
    translations = translations_in_test(pairs)
    texts = [
        text
        for english_passage, passage in pairs
        for text in _texts(english_passage, passage, translations)
    ]
    if not texts:
        message = f"has no noun phrases parallel to those of {english.file}"
        raise DataError(message, file=chinese.file)
    notes = tuple(
        f"passages with {what} ({len(ids)}): {first_ids(ids)}"
        for ids, what in (
            (without_parallel, "no English parallel"),
            (unmarked, "noun phrases in one language only"),
        )
        if ids
    )
    return Consistency(english.file, chinese.file, texts, notes, shown)


def _texts(
    english: Passage, chinese: Passage, translations: Translations
) -> Iterator[TextConsistency]:
    """The passage, and each question that has noun phrases in either language."""
    id = chinese.shared_id
    yield TextConsistency(
        id,
        None,
        english.text,
        chinese.text,
        _phrase_spans(english.layers),
        _phrase_spans(chinese.layers),
        counterparts(english, chinese, translations),
    )
    english_questions = {question.shared_id: question for question in english.questions}
    for question in chinese.questions:
        parallel = english_questions.get(question.shared_id)
        if parallel is None or not ("np" in parallel.layers or "np" in question.layers):
            continue
        yield TextConsistency(
            id,
            question.shared_id,
            parallel.text,
            question.text,
            _phrase_spans(parallel.layers),
            _phrase_spans(question.layers),
            _counterparts_within(
                parallel,
                question,
                (0, len(parallel.text)),
                (0, len(question.text)),
                translations,
            ),
        )


def counterparts(
    english: Passage, chinese: Passage, translations: Translations | None = None
) -> Counterparts:
    """Noun phrases of two parallel passages that say the same, sentence by sentence."""
    return [
        counterpart
        for english_within, chinese_within in _sentence_pairs(english, chinese)
        for counterpart in _counterparts_within(
            english, chinese, english_within, chinese_within, translations
        )
    ]


def _counterparts_within(
    english: Passage | Question,
    chinese: Passage | Question,
    english_within: Offsets,
    chinese_within: Offsets,
    translations: Translations | None,
) -> Counterparts:
    """Noun phrases that say the same, of a stretch of English and its parallel in Chinese."""
    english_spans, english_phrases = _phrases(english.text, english.layers, english_within)
    chinese_spans, chinese_phrases = _phrases(chinese.text, chinese.layers, chinese_within)
    return [
        (english_spans[pair.english], chinese_spans[pair.chinese], pair)
        for pair in align(english_phrases, chinese_phrases, translations)
    ]


def translations_in_test(passages: Iterable[tuple[Passage, Passage]]) -> Translations:
    """Translations learned from a parallel test: words that occur in the same noun phrases."""
    word_pairs = []
    for english, chinese in passages:
        for english_within, chinese_within in _sentence_pairs(english, chinese):
            _, phrases = _phrases(english.text, english.layers, english_within)
            words = {word for phrase in phrases for word in content_words(phrase.text)}
            word_pairs.append((words, _chinese_words(chinese, chinese_within)))
    return cooccurring_words(word_pairs)


def _chinese_words(chinese: Passage, within: Offsets) -> set[str]:
    """The words of Chinese noun phrases, of two characters or more: shorter ones say too little."""
    tokens = chinese.layers.get("token")
    spans, _ = _phrases(chinese.text, chinese.layers, within)
    return {
        chinese.text[start:end]
        for start, end in (tokens.spans if tokens is not None else ())
        if end - start > 1 and any(first <= start and end <= last for first, last in spans)
    }


def _sentence_pairs(english: Passage, chinese: Passage) -> Iterator[tuple[Offsets, Offsets]]:
    """Stretches of one or two sentences that say the same in both languages."""
    english_spans = passage_sentences(english, "en")
    chinese_spans = passage_sentences(chinese, "zh")
    for english_range, chinese_range in sentence_beads(english, chinese, "zh"):
        if english_range and chinese_range:
            yield (
                (english_spans[english_range[0]][0], english_spans[english_range[-1]][1]),
                (chinese_spans[chinese_range[0]][0], chinese_spans[chinese_range[-1]][1]),
            )


def _phrases(text: str, layers: Layers, within: Offsets) -> tuple[list[Offsets], list[SidePhrase]]:
    first, last = within
    ne = layers.get("ne")
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False)) if ne is not None else {}
    spans = [span for span in _phrase_spans(layers) if first <= span[0] and span[1] <= last]
    length = max(1, last - first)
    return spans, [
        SidePhrase(text[start:end], types.get((start, end)), ((start + end) / 2 - first) / length)
        for start, end in spans
    ]


def _phrase_spans(layers: Layers) -> tuple[Offsets, ...]:
    np = layers.get("np")
    return tuple(sorted(np.spans)) if np is not None else ()


def _text_json(text: TextConsistency) -> dict[str, Any]:
    return {
        "id": text.record,
        "unit": text.unit,
        "english": len(text.english),
        "chinese": len(text.chinese),
        "aligned": [
            {
                "english": _quoted(text.english_text, english_span),
                "chinese": _quoted(text.chinese_text, chinese_span),
                "score": round(pair.score, 3),
                "why": list(pair.why),
            }
            for english_span, chinese_span, pair in text.pairs
        ],
        "english_alone": [_quoted(text.english_text, span) for span in text.english_alone],
        "chinese_alone": [_quoted(text.chinese_text, span) for span in text.chinese_alone],
        "far": text.far,
    }


def _quoted(text: str, span: Offsets) -> dict[str, Any]:
    return {"span": list(span), "quote": text[slice(*span)]}
