"""Readers that need no training, and how an option is chosen by likely stretches of a passage."""

from __future__ import annotations

import functools
import hashlib
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.errors import DataError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row, one_by_one
from readmark.hooks import Kind
from readmark.text.sentences import RULES as SENTENCES
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

Floats = NDArray[np.float64]


def parameter(default: Any, help: str, *choices: str) -> Any:
    """A declared parameter of a reader: default, one line of prose, allowed values."""
    return field(default=default, metadata={"help": help, "choices": choices})


def cross_signature(languages: str) -> Mapping[str, Any]:
    """What decides the answers to questions in another language, besides the reader itself."""
    from readmark.text.cross_language import SOURCE

    return {"lexicon": SOURCE}


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
    _repeat: int = field(default=0, init=False, repr=False)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def signature(self) -> Mapping[str, int]:
        return {"seed": self.seed}

    def _reply(self, unit: Unit) -> Row:
        options = options_of(unit)
        drawn = lot(f"{self.seed} {self._repeat} {unit.id}")
        return Row(id=unit.id, text=options[drawn % len(options)])


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
            return Row(id=unit.id, text=chosen, score=0.0)
        evidence = {"shared": sorted(shared)}
        return Row(id=unit.id, text=chosen, sentence=at, score=score, evidence=evidence)

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
        found = sentences(unit.record.text, self.language)
        return sentence_row(unit, found[0]) if found else Row(id=unit.id, text="")


def sentence_row(unit: Unit, offsets: Offsets, **more: object) -> Row:
    """A row whose answer is a sentence of the passage."""
    start, end = offsets
    text = unit.record.text[start:end]
    return Row(id=unit.id, text=text, start=start, end=end, sentence=offsets, **more)  # type: ignore[arg-type]


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
            return Row(id=unit.id, text="")
        count, at, shared_words = best
        score = count / len(asked) if asked else 0.0
        return sentence_row(unit, at, score=score, evidence={"shared": shared_words})


@functools.lru_cache(maxsize=256)
def _sentence_words(text: str, language: str) -> list[tuple[Offsets, frozenset[str]]]:
    # Questions of one passage come one after another: its sentences are split once.
    found = sentences(text, language)
    return [((start, end), frozenset(words(text[start:end], language))) for start, end in found]


RULES = (
    f"greatest expected f1, in zh with nearness, coverage and vectors-1; ties by lot; words {WORDS}"
)
"""How an option is chosen, for signatures."""
WEIGHED = 20
"""How many likely answers are weighed."""


@dataclass(frozen=True, slots=True)
class NearestOption:
    """An option, its score, and the stretch that speaks most for it."""

    option: str
    score: float
    """The expected F1; in Chinese the option's share of all that speaks for the options."""
    place: Offsets


def nearest_option(
    unit: Unit, likely: Sequence[tuple[Offsets, float]], language: str
) -> NearestOption:
    """The option with the greatest expected F1, when each stretch is the answer as often as likely.

    The best stretch alone shares no word with any option in over a third of C3's questions, so
    Chinese options are also compared with what surrounds the stretches (``ChineseOptions``).
    """
    text = unit.record.text
    options = options_of(unit)
    said = [(place, chance, _Words(text[slice(*place)], language)) for place, chance in likely]
    scores: list[float] = []
    places: list[Offsets] = []
    for option in options:
        own = _Words(option, language)
        shares = [(chance * words.f1(own), place) for place, chance, words in said]
        scores.append(sum(share for share, _ in shares))
        # The likeliest is the first, and stays so where nothing speaks for an option.
        places.append(max(shares, key=lambda share: share[0])[1])
    if language == "zh":
        scores = ChineseOptions(text, likely).scores(unit.item.text, options)
    # Ties are drawn by the words, so that no place among the options is favoured.
    best = max(range(len(options)), key=lambda at: (scores[at], lot(f"{unit.id} {options[at]}")))
    return NearestOption(options[best], scores[best], places[best])


class _Words:
    """The words of a text, as often as each occurs."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text.strip()
        self._counts = Counter(words(text, language))

    def f1(self, other: _Words) -> float:
        """Twice the words shared by all words of both; 1 for equal texts, if of signs alone."""
        if self._text == other._text:
            return 1.0
        shared = (self._counts & other._counts).total()
        return 2 * shared / (self._counts.total() + other._counts.total()) if shared else 0.0


# Options in Chinese, where an option rarely repeats the words of the answer.


REACH = 12.0
"""Characters over which what surrounds a likely stretch loses its say."""
_ALIKE = 0.3
"""How alike two words must be before that counts."""
_SHARPNESS = 0.2
"""What turns totals into shares of about the accuracy."""
_FUNCTION_WORD = 0.2
_NEGATED = re.compile(
    r"哪.{0,6}(?:不(?:是|正确|对|符合|属于|包括)|没有?提|错)|不(?:正确|对|符合|属于|包括)"
    r"|没有?(?:提到|谈到|说到|包括)|错误的|除了"
)
_SIGN = re.compile(r"[\W_]+")

Pieces = Counter[str]


class ChineseOptions:
    """What a passage and its likely stretches say for each option.

    Four figures, each standardised over the options of a question and weighted alike: expected F1
    in characters and pairs of them, how near the stretches they are, how much of them one sentence
    has, and the same for words with similar vectors. A question for what is not so takes the least.
    """

    def __init__(self, text: str, likely: Sequence[tuple[Offsets, float]]) -> None:
        from readmark.text.word_vectors import simplified

        self._text = simplified(text)
        self._likely = likely
        found = sentences(self._text, "zh") or [(0, len(text))]
        self._sentences = [self._text[start:end] for start, end in found]
        self._pieces = [_pieces(sentence) for sentence in self._sentences]
        self._spread = Counter(piece for pieces in self._pieces for piece in pieces)

    def scores(self, question: str, options: Sequence[str]) -> list[float]:
        """Each option's share of what speaks for the options."""
        from readmark.text.word_vectors import simplified

        read = [simplified(option) for option in options]
        near = self._nearness()
        figures = (
            [self._expected(option) for option in read],
            [self._near(option, near) for option in read],
            [max(self._covered(option, pieces) for pieces in self._pieces) for option in read],
            self._similar(read),
        )
        totals = np.sum([_standardised(figure) for figure in figures], axis=0)
        raised = np.exp(_SHARPNESS * (-totals if _NEGATED.search(question) else totals))
        return [round(float(share), 9) for share in raised / raised.sum()]

    def _expected(self, option: str) -> float:
        own, total = _pieces(option), 0.0
        for (start, end), chance in self._likely:
            pieces = _pieces(self._text[start:end])
            shared = (own & pieces).total()
            total += chance * 2 * shared / max(1, own.total() + pieces.total())
        return total

    def _nearness(self) -> Floats:
        """How near each character is to likely stretches."""
        index = np.arange(len(self._text) + 1)
        near = np.zeros(len(index))
        for (start, end), chance in self._likely:
            distance = np.maximum(np.maximum(start - index, index - end + 1), 0)
            near += chance * np.exp(-distance / REACH)
        return near

    def _near(self, option: str, near: Floats) -> float:
        total = best = 0.0
        for piece in _pieces(option):
            worth = self._worth(piece)
            total += worth
            found = re.finditer(re.escape(piece), self._text)
            best += worth * max((float(near[match.start()]) for match in found), default=0.0)
        return best / total if total else 0.0

    def _covered(self, option: str, pieces: Pieces) -> float:
        own = _pieces(option)
        total = math.fsum(self._worth(piece) for piece in own)
        shared = math.fsum(self._worth(piece) for piece in own if piece in pieces)
        return shared / total if total else 0.0

    def _worth(self, piece: str) -> float:
        """What is in few sentences is worth more, and what is in none most."""
        count = len(self._sentences)
        spread = self._spread.get(piece, 0)
        rarity = math.log((count + 1) / (spread + 0.5)) if spread else math.log(count + 2)
        return max(0.1, rarity) * len(piece)

    def _similar(self, options: Sequence[str]) -> list[float]:
        """How much of each option the best sentence has in the same or similar words."""
        read = [_vectors(sentence) for sentence in self._sentences]
        return [max(_alike(_vectors(option), sentence) for sentence in read) for option in options]


@functools.lru_cache(maxsize=4096)
def _pieces(text: str) -> Pieces:
    """Characters and pairs of neighbours, without signs."""
    runs = [run for run in _SIGN.split(text) if run]
    found = Counter(character for run in runs for character in run)
    found.update(run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return found


@functools.lru_cache(maxsize=4096)
def _vectors(text: str) -> tuple[tuple[str, ...], Floats, Floats]:
    """The words of a text, what each is worth, and their vectors."""
    from readmark.text.word_vectors import FUNCTION, lexicon, words_in

    known = lexicon("zh")
    found = tuple(word for word, _ in words_in(text, "zh"))
    worth = [
        known.rarity(word) * (_FUNCTION_WORD if word in FUNCTION["zh"] else 1.0) for word in found
    ]
    return found, np.array(worth), known.vectors_of(found).astype(np.float64)


def _alike(
    option: tuple[tuple[str, ...], Floats, Floats], read: tuple[tuple[str, ...], Floats, Floats]
) -> float:
    own, worth, vectors = option
    if not own or not worth.sum():
        return 0.0
    content = read[1] > _FUNCTION_WORD
    near = (vectors @ read[2][content].T).max(axis=1, initial=0.0) if content.any() else 0.0
    similar = np.maximum(near - _ALIKE, 0.0) * np.ones(len(own))
    there = np.array([word in read[0] for word in own])
    return float((worth * np.where(there, 1.0, similar)).sum() / worth.sum())


def _standardised(values: Sequence[float]) -> Floats:
    centred = np.asarray(values) - np.mean(values)
    spread = float(centred.std())
    return np.asarray(centred / spread if spread > _LEAST_SPREAD else centred * 0.0)


_LEAST_SPREAD = 1e-9
