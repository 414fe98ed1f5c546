"""Readers that need no training, and how an option is chosen by likely stretches of a passage."""

from __future__ import annotations

import functools
import hashlib
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, ClassVar

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.text.sentences import RULES as SENTENCES
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words


def parameter(default: Any, help: str, *choices: str) -> Any:
    """A declared parameter of a reader: default, one line of prose, allowed values."""
    return field(default=default, metadata={"help": help, "choices": choices})


def lexicon_signature(words: Any) -> Mapping[str, Any]:
    """What else decides the answers to questions in another language, whose words are cut so."""
    from readmark.text.cross_language import SOURCE

    return {"lexicon": SOURCE, "words of questions": words}


@dataclass
class QuestionByQuestion(ABC):
    """Answers question by question, in the test's language."""

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    @abstractmethod
    def _reply(self, unit: Unit) -> Row: ...


# Guessing: what a multiple-choice test gives to somebody who has not read it.


@dataclass
class Guess(QuestionByQuestion):
    """Chooses an option at random, by its seed; each repeat guesses anew."""

    seed: int = parameter(1, "random seed")
    requires: ClassVar[tuple[str, ...]] = ("options",)
    _repeat: int = field(default=0, init=False, repr=False)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def signature(self) -> Mapping[str, int]:
        return {"seed": self.seed}

    def _reply(self, unit: Unit) -> Row:
        options = options_of(unit)
        drawn = lot(f"{self.seed} {self._repeat} {unit.id}")
        return Row(id=unit.id, answer=options[drawn % len(options)])


def options_of(unit: Unit) -> tuple[str, ...]:
    """The options of a question, which must have some."""
    options: tuple[str, ...] = unit.item.options
    if not options:
        raise DataError("the question has no options to choose from")
    return options


def lot(words: str) -> int:
    """A number drawn by words: the same on any machine, for any unit by itself."""
    return int.from_bytes(hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16])


# Word overlap for multiple choice: the oldest baseline, which needs no training.


@dataclass
class ClosestOption(QuestionByQuestion):
    """Chooses the option that, with the question, shares most words with a sentence.

    After the sliding window of "MCTest: A Challenge Dataset for the Open-Domain Machine
    Comprehension of Text", with sentences for windows: rare words of a passage count for more.
    """

    requires: ClassVar[tuple[str, ...]] = ("options",)

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS, "ties": "by lot"}

    def _reply(self, unit: Unit) -> Row:
        options = options_of(unit)
        asked = frozenset(words(unit.item.text, self.language))
        read = _read(unit.record.text, self.language)
        found = [(read.nearest(asked, self._words(option)), option) for option in options]
        # Ties are drawn by the words, so that no place among the options is favoured.
        (score, at, shared), chosen = max(
            found, key=lambda one: (one[0][0], lot(f"{unit.id} {one[1]}"))
        )
        if at is None:
            return Row(id=unit.id, answer=chosen, score=0.0)
        evidence = {"shared": sorted(shared)}
        return Row(id=unit.id, answer=chosen, sentence=at, score=score, evidence=evidence)

    def _words(self, option: str) -> frozenset[str]:
        return frozenset(words(option, self.language))


Nearest = tuple[float, Offsets | None, Set[str]]


class _Read:
    """A passage's sentences as sets of words, and what each word is worth there."""

    def __init__(self, text: str, language: str) -> None:
        self._sentences = [
            (sentence, frozenset(words(text[slice(*sentence)], language)))
            for sentence in sentences(text, language)
        ]
        counts = Counter(words(text, language))
        self._worth = {word: math.log1p(1 / count) for word, count in counts.items()}

    def nearest(self, asked: Set[str], option: Set[str]) -> Nearest:
        """The best sentence for a question with an option: worth, place, and the option's words."""
        best: Nearest = (0.0, None, frozenset())
        for at, said in self._sentences:
            # Summed in one order: sets of words have another in every process.
            worth = math.fsum(self._worth[word] for word in (asked | option) & said)
            if worth > best[0]:
                best = worth, at, option & said
        return best


@functools.lru_cache(maxsize=64)
def _read(text: str, language: str) -> _Read:
    # Questions of one passage come one after another: it is read once.
    return _Read(text, language)


# The lead: what is said first.


@dataclass
class Lead(QuestionByQuestion):
    """Answers every question with the first sentence of its passage: the floor to beat."""

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES}

    def _reply(self, unit: Unit) -> Row:
        first = _first_sentence(unit.record.text, self.language)
        return sentence_row(unit, first) if first is not None else Row(id=unit.id, answer="")


@functools.lru_cache(maxsize=64)
def _first_sentence(text: str, language: str) -> Offsets | None:
    # Questions of one passage come one after another: its sentences are split once.
    return next(iter(sentences(text, language)), None)


def sentence_row(unit: Unit, offsets: Offsets, **more: object) -> Row:
    """A row whose answer is a sentence of the passage."""
    start, end = offsets
    text = unit.record.text[start:end]
    return Row(id=unit.id, answer=text, start=start, end=end, sentence=offsets, **more)  # type: ignore[arg-type]


# Word overlap: the oldest reader there is.


@dataclass
class LongestOverlap(QuestionByQuestion):
    """Answers with the first sentence that shares most distinct words with the question."""

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS}

    def _reply(self, unit: Unit) -> Row:
        asked = frozenset(words(unit.item.text, self.language))
        best: tuple[int, Offsets, list[str]] | None = None
        for at, said in _sentence_words(unit.record.text, self.language):
            shared = asked & said
            if best is None or len(shared) > best[0]:
                best = len(shared), at, sorted(shared)
        if best is None:
            return Row(id=unit.id, answer="")
        count, at, shared_words = best
        score = count / len(asked) if asked else 0.0
        return sentence_row(unit, at, score=score, evidence={"shared": shared_words})


@functools.lru_cache(maxsize=256)
def _sentence_words(text: str, language: str) -> list[tuple[Offsets, frozenset[str]]]:
    # Questions of one passage come one after another: its sentences are split once.
    found = sentences(text, language)
    return [((start, end), frozenset(words(text[start:end], language))) for start, end in found]
