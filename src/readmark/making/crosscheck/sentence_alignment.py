"""Which sentences of two parallel texts go together, by their lengths and their order.

Gale and Church, "A Program for Aligning Sentences in Bilingual Corpora" (1993): a long sentence
has a long translation, and the order is seldom changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from readmark.core.records import Passage
from readmark.text.answers.sentences import passage_sentences

Beads = list[tuple[range, range]]
"""Sentences of one text with those of the other, in the article's word; either may be none."""

PRIORS = {
    (1, 1): 0.89,
    (1, 0): 0.0099 / 2,
    (0, 1): 0.0099 / 2,
    (2, 1): 0.089 / 2,
    (1, 2): 0.089 / 2,
    (2, 2): 0.011,
}
"""How often so many sentences go with so many, as the article counted them."""
VARIANCE = 6.8
"""Variance of a translation's length for each character, as the article measured it."""


def sentence_beads(english: Passage, other: Passage, language: str) -> Beads:
    """Which sentences of two parallel passages go together, as ranges of their order."""
    lengths, other_lengths = (
        [end - start for start, end in passage_sentences(passage, code)]
        for passage, code in ((english, "en"), (other, language))
    )
    return beads(lengths, other_lengths)


def beads(first: Sequence[int], second: Sequence[int]) -> Beads:
    """Pair sentences by their lengths; as many on both sides are paired by their order."""
    if len(first) == len(second):
        return [(range(index, index + 1), range(index, index + 1)) for index in range(len(first))]
    if not sum(first) or not sum(second):
        return [(range(len(first)), range(len(second)))]
    ratio = sum(second) / sum(first)
    # The cheapest way to align the first i and j sentences, and the last step of it.
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            for (m, n), prior in PRIORS.items():
                if i < m or j < n or (i - m, j - n) not in best:
                    continue
                expected = sum(first[i - m : i]) * ratio
                cost = (
                    best[i - m, j - n][0]
                    - math.log(prior)
                    + _length_cost(expected, sum(second[j - n : j]), ratio)
                )
                if (i, j) not in best or cost < best[i, j][0]:
                    best[i, j] = cost, (m, n)
    path: Beads = []
    i, j = len(first), len(second)
    while (i, j) != (0, 0):
        m, n = best[i, j][1]
        path.append((range(i - m, i), range(j - n, j)))
        i, j = i - m, j - n
    return path[::-1]


def _length_cost(expected: float, length: float, ratio: float) -> float:
    """Minus the logarithm of the chance that a length is this far from the expected one."""
    mean = (expected + length) / 2
    delta = (length - expected) / math.sqrt(VARIANCE * max(mean, 1e-9) * max(ratio, 1e-9))
    return -math.log(max(math.erfc(abs(delta) / math.sqrt(2)), 1e-300))
