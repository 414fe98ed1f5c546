"""What many pairs of texts share, by comparing positions: one of each text at a time, in all pairs.

An n-gram of two texts is a run of n positions with equal words. Every step is arithmetic on whole
arrays (position, pair), so the cost of Python is spread over the pairs.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.stats.similarity.shared import Floats, Shared

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
"""The number of the word at each position of each text, (position, text); 0 past its end.

Past the ends much is equal that does not count: it is masked when all is summed.
"""


class Side:
    """One text of each pair, and its n-grams of several orders."""

    def __init__(self, words: Words, orders: Sequence[int]) -> None:
        self.words = words
        there = words != 0
        self.starts: Mapping[int, Bools] = {order: there[order - 1 :] for order in orders}
        """Where an n-gram starts: its last word is there."""

    @functools.cached_property
    def first(self) -> Mapping[int, Bools]:
        """Where an n-gram stands for the first time."""
        found = {order: there.copy() for order, there in self.starts.items()}
        for step in range(1, len(self.words)):
            same = self._same(step)
            for order, first in found.items():
                again = _runs(same, order)
                if len(again):
                    # True is greater than False: still first unless it stood there before.
                    np.greater(first[step:], again, out=first[step:])
        return found

    @functools.cached_property
    def times(self) -> Mapping[int, Bytes]:
        """How often the n-gram at a position stands in the text; 0 where there is none."""
        found = {order: there.astype(np.uint8) for order, there in self.starts.items()}
        for step in range(1, len(self.words)):
            same = self._same(step)
            for order, times in found.items():
                again = _runs(same, order).view(np.uint8)
                if len(again):
                    times[step:] += again
                    times[:-step] += again
        return {order: times * self.starts[order] for order, times in found.items()}

    def _same(self, step: int) -> Bools:
        same: Bools = self.words[step:] == self.words[:-step]
        return same


def _runs(same: Bools, order: int) -> Bools:
    """Where so many equal positions follow one another."""
    size = max(len(same) - order + 1, 0)
    found = same[:size]
    for at in range(1, order):
        found = found & same[at : at + size]
    return found


class Pairs:
    """Both sides of some pairs, and how often what the first has stands in the second."""

    def __init__(self, a: Words, b: Words, orders: Sequence[int]) -> None:
        self.a = Side(a, orders)
        self.b = Side(b, orders)

    def at(self, order: int) -> SharedByMany:
        """What the pairs share of that order."""
        return SharedByMany(self, order)

    @functools.cached_property
    def there(self) -> Mapping[int, Bytes]:
        """How often the n-gram at a position of the first text stands in the second."""
        a, b = self.a.words, self.b.words
        found = {
            order: np.zeros(starts.shape, dtype=np.uint8) for order, starts in self.a.starts.items()
        }
        for shift in range(1 - len(a), len(b)):
            first = max(-shift, 0)
            size = min(len(a), len(b) - shift) - first
            same = a[first : first + size] == b[first + shift : first + shift + size]
            for order, there in found.items():
                runs = _runs(same, order).view(np.uint8)
                if len(runs):
                    there[first : first + len(runs)] += runs
        return {order: there * self.a.starts[order] for order, there in found.items()}


class SharedByMany(Shared[Floats]):
    """The counts of many pairs."""

    def __init__(self, pairs: Pairs, order: int) -> None:
        self._pairs = pairs
        self._order = order

    @property
    def set_a(self) -> Floats:
        return _total(self._pairs.a.first[self._order])

    @property
    def set_b(self) -> Floats:
        return _total(self._pairs.b.first[self._order])

    @property
    def set_both(self) -> Floats:
        return _total(self._pairs.a.first[self._order] & (self._pairs.there[self._order] > 0))

    @property
    def bag_a(self) -> Floats:
        return _total(self._pairs.a.starts[self._order])

    @property
    def bag_b(self) -> Floats:
        return _total(self._pairs.b.starts[self._order])

    @property
    def bag_both(self) -> Floats:
        a = self._pairs.a
        least = np.minimum(a.times[self._order], self._pairs.there[self._order])
        return _total(least * a.first[self._order])

    @property
    def square_a(self) -> Floats:
        return _total(self._pairs.a.times[self._order])

    @property
    def square_b(self) -> Floats:
        return _total(self._pairs.b.times[self._order])

    @property
    def product(self) -> Floats:
        return _total(self._pairs.there[self._order])


def _total(counts: Bools | Bytes) -> Floats:
    return np.asarray(counts.sum(axis=0, dtype=np.uint16), dtype=np.float64)
