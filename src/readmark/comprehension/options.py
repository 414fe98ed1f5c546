"""Choosing one of a question's options by the stretches of text that are likely answers."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.baselines import lot, options_of
from readmark.core.records import Offsets, Unit
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

Floats = NDArray[np.float64]

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
