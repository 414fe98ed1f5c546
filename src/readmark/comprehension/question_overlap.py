"""The share of a question's words that its answer sentence or its passage has, after stemming.

"Design and Development of a Bilingual Reading Comprehension Corpus", Table 11, has the mean: it
shows how much a question helps a reader that only matches words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from readmark.core.records import PUBLISHER, Offsets, Unit
from readmark.text.answers.sentences import (
    SOURCE,
    key_recall,
    passage_sentences,
    sentences_of_answers,
    sentences_of_span,
)
from readmark.text.bags import Bags

if TYPE_CHECKING:
    from readmark.hooks import Kind


class QuestionOverlap:
    """Word overlap of questions in one language; units of a passage should follow each other."""

    def __init__(self, kind: Kind, language: str) -> None:
        self._kind = kind
        self._language = language
        self._bags = Bags(language)
        self._record: Any = None
        self._sentences: list[Offsets] = []
        self._words: list[frozenset[str]] = []

    def with_answer_sentence(self, unit: Unit) -> float | None:
        """With the answer sentence that shares most; None without one."""
        sentences = self._answer_sentences(unit)
        question = self._bags.of(unit.item.text) if sentences else frozenset()
        if not question:
            return None
        return max(len(question & self._words[index]) / len(question) for index in sentences)

    def answer_sentences(self, unit: Unit) -> list[Offsets]:
        """The sentences that a question is compared with; none if the key shows none."""
        return [self._sentences[index] for index in sorted(self._answer_sentences(unit))]

    def with_passage(self, unit: Unit) -> float | None:
        """With all sentences of the passage; None for a question without words to compare."""
        self._read(unit.record)
        question = self._bags.of(unit.item.text)
        if not question:
            return None
        return len(question & frozenset().union(*self._words)) / len(question)

    def signature(self) -> str:
        parts = {**self._bags.signature(), "sentences": SOURCE}
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def _read(self, record: Any) -> None:
        """Split a passage into sentences and words, once for all of its questions."""
        if record is not self._record:
            self._record = record
            self._sentences = passage_sentences(record, self._language)
            self._words = [self._bags.of(record.text[start:end]) for start, end in self._sentences]

    def _answer_sentences(self, unit: Unit) -> frozenset[int]:
        """The marked sentences, else those with an answer's span, else the one of most recall."""
        self._read(unit.record)
        if unit.key is None or unit.key.unanswerable:
            return frozenset()
        if unit.key.sentences:
            return frozenset(
                index
                for sentence in unit.key.sentences
                for index in sentences_of_span(sentence, self._sentences)
            )
        people = self._kind.references(unit)
        answers = [answer for person in people for answer in person if answer.text]
        spans = [answer for answer in answers if answer.annotator != PUBLISHER]
        sentences = sentences_of_answers(spans, unit.record.text, self._sentences)
        if sentences or spans:
            return sentences
        # A publisher's key is worded freely, so recall decides, as in AutSent.
        recalls = key_recall([self._bags.of(answer.text) for answer in answers], self._words)
        best = max(recalls, default=0.0)
        return frozenset({recalls.index(best)}) if best else frozenset()
