"""Learned words: how much easier a passage is by its words, where many ratings taught it."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from readmark.core.arrays import Floats
from readmark.readability.raters.parses import ParsedPassage

if TYPE_CHECKING:
    from readmark.text.word_vectors import Lexicon


class WordBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of words and of the axes of their mean vector; ``base`` is what is usual."""

    lemmas: dict[str, tuple[float, float]]
    """Rarity (a logarithm) and weight."""
    axes: tuple[float, ...]
    base: float

    def gain(self, parsed: ParsedPassage) -> float:
        """What the words add to a passage's rating."""
        by_lemmas = sum(self._gains(parsed).values())
        return by_lemmas + float(mean_vector(parsed) @ np.array(self.axes)) - self.base

    def extremes(self, parsed: ParsedPassage, most: int = 3) -> tuple[list[str], list[str]]:
        """The lemmas that raise the rating most, and those that lower it most."""
        gains = sorted((gain, lemma) for lemma, gain in self._gains(parsed).items())
        easier = [lemma for gain, lemma in reversed(gains) if gain > 0]
        harder = [lemma for gain, lemma in gains if gain < 0]
        return easier[:most], harder[:most]

    def _gains(self, parsed: ParsedPassage) -> dict[str, float]:
        """What each lemma adds: its weight by its share of a bag of unit length."""
        bag = {
            lemma: math.log1p(count) * self.lemmas[lemma][0]
            for lemma, count in lemma_counts(parsed).items()
            if lemma in self.lemmas
        }
        length = math.sqrt(sum(value * value for value in bag.values())) or 1.0
        return {lemma: value / length * self.lemmas[lemma][1] for lemma, value in bag.items()}


def lemma_counts(parsed: ParsedPassage) -> Counter[str]:
    """The lemmas of a passage, without names and figures."""
    return Counter(parsed.lemmas[word] for word in parsed.ordinary)


def mean_vector(parsed: ParsedPassage) -> Floats:
    """The mean vector of the content words, by the vectors of the evidence reader."""
    lexicon = _lexicon()
    lexicon.make_room()
    entries = [lexicon.entry(parsed.forms[index]) for index in parsed.content]
    rows = lexicon.numbers[entries, 2] if entries else np.zeros(0, np.int64)
    rows = rows[rows != lexicon.unknown]
    if not len(rows):
        return np.zeros(vector_width())
    mean: Floats = lexicon.vectors[rows].mean(axis=0).astype(np.float64)
    return mean


def vector_width() -> int:
    """How many axes the vectors have."""
    return int(_lexicon().vectors.shape[1])


def _lexicon() -> Lexicon:
    # The rater that ships has no learned words: it starts without the vectors.
    from readmark.text.word_vectors import lexicon

    return lexicon("en")
