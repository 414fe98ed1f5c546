"""Options in Chinese, where an option rarely repeats the words of the answer: ten figures."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from readmark.comprehension.options.quantities import equal_quantities
from readmark.comprehension.options.scenes import typical_of_scenes
from readmark.comprehension.options.support import OptionSupport
from readmark.comprehension.options.word_meanings import FUNCTION_WORD, word_weights
from readmark.core.arrays import Floats
from readmark.core.records import Offsets
from readmark.text.sentences import sentences

REACH = 12.0
"""Characters over which what surrounds a likely stretch loses its say."""
_ALIKE = 0.3
"""How alike two words must be before that counts."""
_SHARPNESS = 0.14
"""What turns totals into shares of about the accuracy."""
_LEAST_SPREAD = 1e-9
"""Of a figure over the options: below it they differ by rounding alone."""
_NEGATED = re.compile(
    r"哪.{0,6}(?:不(?:是|正确|对|符合|属于|包括)|没有?提|错)|不(?:正确|对|符合|属于|包括)"
    r"|没有?(?:提到|谈到|说到|包括)|错误的|除了"
)
_SIGN = re.compile(r"[\W_]+")

CharacterPieces = Counter[str]


class ChineseOptions:
    """What a passage and its likely stretches say for each option.

    Each figure is standardised over the options of a question. Eight count alike: expected F1 in
    characters and pairs of them, how near the stretches they are, how much of them one sentence
    has, the same for words with similar vectors, and four of ``OptionSupport``. Two count twice,
    where options are scenes or quantities: what is typical of them, and what equals them. A
    question for what is not so takes the least.
    """

    def __init__(self, text: str, likely: Sequence[tuple[Offsets, float]]) -> None:
        from readmark.text.word_vectors import small_simplified

        self._text = small_simplified(text)
        self._likely = likely
        self._places = sentences(self._text, "zh") or [(0, len(text))]
        self._sentences = [self._text[start:end] for start, end in self._places]
        self._pieces = [_pieces(sentence) for sentence in self._sentences]
        self._spread = Counter(piece for pieces in self._pieces for piece in pieces)

    def scores(self, question: str, options: Sequence[str]) -> list[float]:
        """Each option's share of what speaks for the options."""
        from readmark.text.word_vectors import small_simplified

        options = [small_simplified(option) for option in options]
        support = OptionSupport(self._text, self._places, small_simplified(question))
        near = self._nearness()
        figures = (
            [self._expected_f1(option) for option in options],
            [self._near(option, near) for option in options],
            [max(self._covered(option, pieces) for pieces in self._pieces) for option in options],
            self._similar(options),
            *support.figures(options),
        )
        typical = typical_of_scenes(self._text, options)
        equal = equal_quantities(self._text, near, options)
        totals = np.sum(
            [_standardised(figure) for figure in (*figures, typical, equal, typical, equal)], axis=0
        )
        raised = np.exp(_SHARPNESS * (-totals if _NEGATED.search(question) else totals))
        return [round(float(share), 9) for share in raised / raised.sum()]

    def _expected_f1(self, option: str) -> float:
        """In characters and pairs of them."""
        of_option, total = _pieces(option), 0.0
        for (start, end), probability in self._likely:
            of_stretch = _pieces(self._text[start:end])
            shared = (of_option & of_stretch).total()
            total += probability * 2 * shared / max(1, of_option.total() + of_stretch.total())
        return total

    def _nearness(self) -> Floats:
        """How near each character is to likely stretches."""
        index = np.arange(len(self._text) + 1)
        near = np.zeros(len(index))
        for (start, end), probability in self._likely:
            distance = np.maximum(np.maximum(start - index, index - end + 1), 0)
            near += probability * np.exp(-distance / REACH)
        return near

    def _near(self, option: str, near: Floats) -> float:
        """How near the pieces of an option are to likely stretches, each where it is nearest."""
        total = nearest = 0.0
        for piece in _pieces(option):
            worth = self._worth(piece)
            total += worth
            matches = re.finditer(re.escape(piece), self._text)
            nearest += worth * max((float(near[match.start()]) for match in matches), default=0.0)
        return nearest / total if total else 0.0

    def _covered(self, option: str, pieces: CharacterPieces) -> float:
        """How much of an option is among the pieces of a sentence."""
        of_option = _pieces(option)
        total = math.fsum(self._worth(piece) for piece in of_option)
        shared = math.fsum(self._worth(piece) for piece in of_option if piece in pieces)
        return shared / total if total else 0.0

    def _worth(self, piece: str) -> float:
        """What is in few sentences is worth more, and what is in none most."""
        count = len(self._sentences)
        spread = self._spread.get(piece, 0)
        rarity = math.log((count + 1) / (spread + 0.5)) if spread else math.log(count + 2)
        return max(0.1, rarity) * len(piece)

    def _similar(self, options: Sequence[str]) -> list[float]:
        """How much of each option the best sentence has in the same or similar words."""
        in_sentences = [_word_vectors(sentence) for sentence in self._sentences]
        return [
            max(_similarity(_word_vectors(option), sentence) for sentence in in_sentences)
            for option in options
        ]


@functools.lru_cache(maxsize=4096)
def _pieces(text: str) -> CharacterPieces:
    """Characters and pairs of neighbours, without signs."""
    runs = [run for run in _SIGN.split(text) if run]
    pieces = Counter(character for run in runs for character in run)
    pieces.update(run[index : index + 2] for run in runs for index in range(len(run) - 1))
    return pieces


class _WordVectors(NamedTuple):
    """The words of a text, what each is worth, and their vectors."""

    words: tuple[str, ...]
    weights: Floats
    vectors: Floats


@functools.lru_cache(maxsize=4096)
def _word_vectors(text: str) -> _WordVectors:
    from readmark.text.word_vectors import lexicon, words_in

    words = tuple(word for word, _ in words_in(text, "zh"))
    vectors = lexicon("zh").vectors_of(words).astype(np.float64)
    return _WordVectors(words, word_weights(words), vectors)


def _similarity(option: _WordVectors, sentence: _WordVectors) -> float:
    """How much of an option a sentence has in the same or similar words."""
    if not option.words or not option.weights.sum():
        return 0.0
    content = sentence.vectors[sentence.weights > FUNCTION_WORD]
    nearest = np.zeros(len(option.words))
    if len(content):
        nearest = (option.vectors @ content.T).max(axis=1, initial=0.0)
    similar = np.maximum(nearest - _ALIKE, 0.0)
    is_there = np.array([word in sentence.words for word in option.words])
    weights = option.weights
    return float((weights * np.where(is_there, 1.0, similar)).sum() / weights.sum())


def _standardised(values: Sequence[float]) -> Floats:
    centred = np.asarray(values) - np.mean(values)
    spread = float(centred.std())
    return np.asarray(centred / spread if spread > _LEAST_SPREAD else centred * 0.0)
