"""Learned words: how much easier a passage is, word by word, where many ratings taught it.

A bag of lemmas (logarithm of the count times rarity, unit length) and the mean vector of the
content words, both linear: a rater with thousands of ratings learns them, the one that ships has
none.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.models.rating.parsed import Parsed

Floats = NDArray[np.float64]


class WordBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of words and of the axes of their mean vector; ``base`` is what is usual."""

    lemmas: dict[str, tuple[float, float]]
    """Rarity (a logarithm) and weight."""
    axes: tuple[float, ...]
    base: float

    def gain(self, parsed: Parsed) -> float:
        """What the words add to a passage's rating."""
        return self._lexical(parsed) + float(vector(parsed) @ np.array(self.axes)) - self.base

    def told(self, parsed: Parsed, most: int = 3) -> tuple[list[str], list[str]]:
        """The lemmas that add most, and those that take most."""
        parts = sorted((gain, lemma) for lemma, gain in self._parts(parsed).items())
        easier = [lemma for gain, lemma in reversed(parts) if gain > 0]
        return easier[:most], [lemma for gain, lemma in parts if gain < 0][:most]

    def _parts(self, parsed: Parsed) -> dict[str, float]:
        bag = lemma_counts(parsed)
        values = {
            lemma: math.log1p(count) * self.lemmas[lemma][0]
            for lemma, count in bag.items()
            if lemma in self.lemmas
        }
        length = math.sqrt(sum(value * value for value in values.values())) or 1.0
        return {lemma: value / length * self.lemmas[lemma][1] for lemma, value in values.items()}

    def _lexical(self, parsed: Parsed) -> float:
        return sum(self._parts(parsed).values())


def lemma_counts(parsed: Parsed) -> Counter[str]:
    """The lemmas of a passage but names and figures."""
    lemmas, pos = parsed.lemmas, parsed.pos
    return Counter([lemmas[at] for at in parsed.words if pos[at] not in ("PROPN", "NUM")])


def vector(parsed: Parsed) -> Floats:
    """The mean vector of the content words, by the vectors of the evidence reader."""
    known = _lexicon()
    known.make_room()
    entries = [known.entry(parsed.forms[at]) for at in parsed.content]
    rows = known.numbers[entries, 2] if entries else np.zeros(0, np.int64)
    rows = rows[rows != known.unknown]
    if not len(rows):
        return np.zeros(known.vectors.shape[1])
    mean: Floats = known.vectors[rows].mean(axis=0).astype(np.float64)
    return mean


def width() -> int:
    """How many axes the vectors have."""
    return int(_lexicon().vectors.shape[1])


@functools.cache
def _lexicon() -> Any:
    from readmark.models.evidence.lexicon import lexicon

    return lexicon("en")
