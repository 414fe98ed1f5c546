"""What many pairs of texts share, from tables of the positions at which they have equal words.

Row i and column j of a pair's table say whether word i of the one is word j of the other; an
n-gram of both is a run of n down the diagonal. All counts follow by arithmetic on whole arrays.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.shared import Floats, Shared

Ints = NDArray[np.integer]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


def runs(equal: Bools, order: int) -> Bools:
    """Tables (i, j, text) of equal words as tables of equal n-grams."""
    found = equal
    for at in range(1, order):
        found = found[:-1, :-1] & equal[at:, at:]
    return found


class Sides:
    """The n-grams of many texts: which are first of their kind, how often each stands there."""

    def __init__(self, numbers: Ints, order: int) -> None:
        """``numbers`` are the words' (position, text), below 0 where the text has ended."""
        equal = runs((numbers[:, None] == numbers[None, :]) & (numbers >= 0)[:, None], order)
        self.counts = np.add.reduce(equal.view(np.uint8), axis=1, dtype=np.uint8)
        earlier = np.tri(len(equal), k=-1, dtype=np.bool_)[:, :, None]
        repeated = np.logical_or.reduce(equal & earlier, axis=1)
        self.first = (self.counts > 0) & ~repeated
        self.sets = _sum(self.first)
        self.bags = _sum(self.counts > 0)
        self.squares = _sum(self.counts)


class Pairs(Shared[Floats]):
    """What pairs share: ``a`` and ``b`` are the sides, ``at_a`` and ``at_b`` their columns."""

    def __init__(self, a: Side, b: Side, equal: Bools) -> None:
        self._a = a
        self._b = b
        self._equal = equal

    @property
    def set_a(self) -> Floats:
        return self._a.sets

    @property
    def set_b(self) -> Floats:
        return self._b.sets

    @functools.cached_property
    def _times(self) -> Bytes:
        """How often the other text has the n-gram at each position of the first."""
        return np.add.reduce(self._equal.view(np.uint8), axis=1, dtype=np.uint8)
