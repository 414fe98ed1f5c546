"""Which sentences of two parallel texts go together, told by their lengths and their order.

The method of "A Program for Aligning Sentences in Bilingual Corpora": lengths of what is translated
are proportional, and most sentences are translated by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Beads = list[tuple[range, range]]
"""Sentences of one text with those of the other; either may be none."""

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
"""Of a length for each character of the other text, the article's too."""


def beads(one: Sequence[int], other: Sequence[int]) -> Beads:
    """Pair sentences by their lengths; as many on both sides are paired by their order."""
    if len(one) == len(other):
        return [(range(at, at + 1), range(at, at + 1)) for at in range(len(one))]
    if not sum(one) or not sum(other):
        return [(range(len(one)), range(len(other)))]
    ratio = sum(other) / sum(one)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            for (m, n), prior in PRIORS.items():
                if i < m or j < n or (i - m, j - n) not in best:
                    continue
                expected = sum(one[i - m : i]) * ratio
                cost = (
                    best[i - m, j - n][0]
                    - math.log(prior)
                    + _cost(expected, sum(other[j - n : j]), ratio)
                )
                if (i, j) not in best or cost < best[i, j][0]:
                    best[i, j] = cost, (m, n)
    found: Beads = []
    at = len(one), len(other)
    while at != (0, 0):
        m, n = best[at][1]
        found.append((range(at[0] - m, at[0]), range(at[1] - n, at[1])))
        at = at[0] - m, at[1] - n
    return found[::-1]


def _cost(expected: float, found: float, ratio: float) -> float:
    """Minus the logarithm of the chance of a length so far from the expected one."""
    mean = (expected + found) / 2
    delta = (found - expected) / math.sqrt(VARIANCE * max(mean, 1e-9) * max(ratio, 1e-9))
    return -math.log(max(math.erfc(abs(delta) / math.sqrt(2)), 1e-300))
