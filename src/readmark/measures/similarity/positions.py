"""What many pairs of texts share, from tables of the positions at which they have equal words.

Row i and column j of a pair's table say whether word i of the one is word j of the other; an
n-gram of both is a run of n down the diagonal. All counts follow by arithmetic on whole arrays.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.shared import Floats, Shared

Keys = tuple[NDArray[Any], ...]
"""What stands at each position of each text, (position, text): equal where all keys are equal.

The first key is 0 past the end of a text, and nowhere else.
"""
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


class Side:
    """One text of each pair: which of its n-grams are first of their kind, how often each is."""

    def __init__(self, keys: Keys) -> None:
        self._equal = _equal(keys, keys)

    @functools.cache  # noqa: B019 - a side lives as long as its batch
    def at(self, order: int) -> Counts:
        """The counts of its n-grams."""
        return Counts(runs(self._equal, order))


class Counts:
    """The counts of one side's n-grams of one order."""

    def __init__(self, equal: Bools) -> None:
        self._equal = equal

    @functools.cached_property
    def times(self) -> Bytes:
        """How often the n-gram at a position stands in the text; 0 past its end."""
        return _down(self._equal)

    @functools.cached_property
    def first(self) -> Bools:
        """Where an n-gram stands for the first time."""
        size = len(self._equal)
        first: Bools = np.einsum("iik->ik", self._equal).copy()
        for at in range(1, size):
            first[at] &= ~self._equal[at, :at].any(axis=0)
        return first

    @functools.cached_property
    def sets(self) -> Floats:
        """How many there are."""
        return _total(self.first)

    @functools.cached_property
    def bags(self) -> Floats:
        """How many there are with repetitions."""
        return _total(np.einsum("iik->ik", self._equal))

    @functools.cached_property
    def squares(self) -> Floats:
        """The squares of their counts, summed."""
        return _total(self.times)


class Pairs(Shared[Floats]):
    """What the pairs of a batch share of one order."""

    def __init__(self, a: Counts, b: Counts, equal: Bools) -> None:
        self._a = a
        self._b = b
        self._equal = equal

    @property
    def set_a(self) -> Floats:
        return self._a.sets

    @property
    def set_b(self) -> Floats:
        return self._b.sets

    @property
    def set_both(self) -> Floats:
        return _total(self._a.first & self._equal.any(axis=1))

    @property
    def bag_a(self) -> Floats:
        return self._a.bags

    @property
    def bag_b(self) -> Floats:
        return self._b.bags

    @property
    def bag_both(self) -> Floats:
        return _total(np.minimum(self._a.times, _down(self._equal)) * self._a.first)

    @property
    def square_a(self) -> Floats:
        return self._a.squares

    @property
    def square_b(self) -> Floats:
        return self._b.squares

    @property
    def product(self) -> Floats:
        return _total(_down(self._equal))


class Tables:
    """The tables of a batch of pairs."""

    def __init__(self, a: Keys, b: Keys) -> None:
        self._a = Side(a)
        self._b = Side(b)
        self._equal = _equal(a, b)

    def at(self, order: int) -> Pairs:
        """What the pairs share of that order."""
        return Pairs(self._a.at(order), self._b.at(order), runs(self._equal, order))


def runs(equal: Bools, order: int) -> Bools:
    """Tables (i, j, pair) of equal words as tables of equal n-grams."""
    found = equal
    for at in range(1, order):
        found = found[:-1, :-1] & equal[at:, at:]
    return found


def _equal(a: Keys, b: Keys) -> Bools:
    equal: Bools = a[0][:, None] == b[0][None, :]
    for left, right in zip(a[1:], b[1:], strict=True):
        equal &= left[:, None] == right[None, :]
    equal &= (a[0] != 0)[:, None]
    return equal


def _down(equal: Bools) -> Bytes:
    counts: Bytes = np.add.reduce(equal.view(np.uint8), axis=1, dtype=np.uint8)
    return counts


def _total(counts: Bools | Bytes) -> Floats:
    return np.asarray(counts.sum(axis=0, dtype=np.uint16), dtype=np.float64)
