"""Baselines: readers that need no training and show what a score is worth.

`Lead` is the floor that any reader must beat, `LongestOverlap` the oldest reader there is. `Guess`
and `ClosestOption` are the same for multiple choice.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from readmark.comprehension.best_option import best_option, options_of
from readmark.comprehension.draws import draw
from readmark.comprehension.sentence_rows import sentence_row
from readmark.core.error_rows import one_by_one
from readmark.core.records import Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.text.sentences import RULES as SENTENCES
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words


@dataclass
class QuestionByQuestion(ABC):
    """Base of readers that answer each question alone, in the test's language."""

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._row)

    @abstractmethod
    def _row(self, unit: Unit) -> Row: ...


@dataclass
class Lead(QuestionByQuestion):
    """Answers every question with the first sentence of its passage."""

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES}

    def _row(self, unit: Unit) -> Row:
        first = _first_sentence(unit.record.text, self.language)
        return sentence_row(unit, first) if first is not None else Row(id=unit.id, answer="")


# The caches below hold the passage at hand: questions on one passage follow each other.
@functools.lru_cache(maxsize=64)
def _first_sentence(text: str, language: str) -> Offsets | None:
    return next(iter(sentences(text, language)), None)


@dataclass
class LongestOverlap(QuestionByQuestion):
    """Answers with the first sentence that shares most distinct words with the question."""

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS}

    def _row(self, unit: Unit) -> Row:
        question = frozenset(words(unit.item.text, self.language))
        passage = _sentence_words(unit.record.text, self.language)
        if not passage:
            return Row(id=unit.id, answer="")
        sentence, sentence_words = max(passage, key=lambda pair: len(question & pair[1]))
        shared = sorted(question & sentence_words)
        score = len(shared) / len(question) if question else 0.0
        return sentence_row(unit, sentence, score=score, evidence={"shared": shared})


@functools.lru_cache(maxsize=256)
def _sentence_words(text: str, language: str) -> list[tuple[Offsets, frozenset[str]]]:
    return [
        ((start, end), frozenset(words(text[start:end], language)))
        for start, end in sentences(text, language)
    ]


@dataclass
class Guess(QuestionByQuestion):
    """Chooses an option at random, by its seed; each repeat guesses anew."""

    seed: int = parameter(1, help="random seed")
    requires: ClassVar[tuple[str, ...]] = ("options",)
    _repeat: int = field(default=0, init=False, repr=False)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def signature(self) -> Mapping[str, int]:
        return {"seed": self.seed}

    def _row(self, unit: Unit) -> Row:
        options = options_of(unit)
        number = draw(f"{self.seed} {self._repeat} {unit.id}")
        return Row(id=unit.id, answer=options[number % len(options)])


@dataclass
class ClosestOption(QuestionByQuestion):
    """Chooses the option that, with the question, shares most words with a sentence.

    After the sliding window of "MCTest: A Challenge Dataset for the Open-Domain Machine
    Comprehension of Text", with sentences for windows: rare words of a passage count for more.
    """

    requires: ClassVar[tuple[str, ...]] = ("options",)

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS, "ties": "by lot"}

    def _row(self, unit: Unit) -> Row:
        options = options_of(unit)
        question = frozenset(words(unit.item.text, self.language))
        passage = _weighed_passage(unit.record.text, self.language)
        nearest = [
            passage.nearest(question, frozenset(words(option, self.language))) for option in options
        ]
        best = best_option(unit, [sentence.worth for sentence in nearest])
        worth, sentence, shared = nearest[best]
        if sentence is None:
            return Row(id=unit.id, answer=options[best], score=0.0)
        return Row(
            id=unit.id,
            answer=options[best],
            sentence=sentence,
            score=worth,
            evidence={"shared": sorted(shared)},
        )


class _NearestSentence(NamedTuple):
    """What a sentence shares with a question and an option; no sentence if nothing is shared."""

    worth: float
    sentence: Offsets | None
    shared: Set[str]
    """The option's words that it has."""


class _WeighedPassage:
    """A passage's sentences as sets of words, and what each word is worth there."""

    def __init__(self, text: str, language: str) -> None:
        self._sentences = _sentence_words(text, language)
        counts = Counter(words(text, language))
        self._worth = {word: math.log1p(1 / count) for word, count in counts.items()}

    def nearest(self, question: Set[str], option: Set[str]) -> _NearestSentence:
        """The first sentence of those whose words shared with both are worth most."""
        best = _NearestSentence(0.0, None, frozenset())
        for sentence, sentence_words in self._sentences:
            # Exact sums: sets of words are in another order in every process.
            shared = (question | option) & sentence_words
            worth = math.fsum(self._worth[word] for word in shared)
            if worth > best.worth:
                best = _NearestSentence(worth, sentence, option & sentence_words)
        return best


@functools.lru_cache(maxsize=64)
def _weighed_passage(text: str, language: str) -> _WeighedPassage:
    return _WeighedPassage(text, language)
