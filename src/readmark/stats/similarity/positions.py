"""What many pairs of texts share, by comparing positions: one of each text at a time, in all pairs.

An n-gram of two texts is a run of n positions with equal words. Every step is arithmetic on whole
arrays (position, pair), so the cost of Python is spread over the pairs.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Bools, Floats
from readmark.stats.similarity.ngrams import ComparedTexts, Shared

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
"""The number of the word at each position of each text, (position, text); 0 past its end.

Past the ends much is equal that does not count: it is masked when all is summed.
"""


class TextSide:
    """One text of each pair, and its n-grams of several orders."""

    def __init__(self, words: Words, orders: Sequence[int]) -> None:
        self.words = words
        there = words != 0
        self.starts: Mapping[int, Bools] = {order: there[order - 1 :] for order in orders}
        """Where an n-gram starts: its last word is there."""

    @functools.cached_property
    def first(self) -> Mapping[int, Bools]:
        """Where an n-gram occurs for the first time."""
        found = {order: there.copy() for order, there in self.starts.items()}
        for step in range(1, len(self.words)):
            same = self._same(step)
            for order, first in found.items():
                again = _runs(same, order)
                if len(again):
                    # True is greater than False: still first unless it occurred before.
                    np.greater(first[step:], again, out=first[step:])
        return found

    @functools.cached_property
    def times(self) -> Mapping[int, Bytes]:
        """How often the n-gram at a position occurs in the text; 0 where there is none."""
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
    """Where ``order`` equal positions follow one another."""
    size = max(len(same) - order + 1, 0)
    found = same[:size]
    for index in range(1, order):
        found = found & same[index : index + size]
    return found


class TextPairs(ComparedTexts[Floats]):
    """Both sides of pairs of texts, and how often n-grams of the first occur in the second."""

    def __init__(self, a: Words, b: Words, orders: Sequence[int]) -> None:
        self.a = TextSide(a, orders)
        self.b = TextSide(b, orders)

    def of_order(self, order: int) -> SharedByPairs:
        """The n-grams of an order that the pairs share."""
        return SharedByPairs(self, order)

    @property
    def equal(self) -> Floats:
        a, b = self.a.words, self.b.words
        size = min(len(a), len(b))
        same = (a[:size] == b[:size]).all(axis=0)
        # The longest texts of the two sides may differ in length: what is past the other is 0.
        same &= ~a[size:].any(axis=0) & ~b[size:].any(axis=0)
        return np.asarray(same, dtype=np.float64)

    @functools.cached_property
    def there(self) -> Mapping[int, Bytes]:
        """How often the n-gram at a position of the first text occurs in the second."""
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


class SharedByPairs(Shared[Floats]):
    """The counts of a batch of pairs."""

    def __init__(self, pairs: TextPairs, order: int) -> None:
        self._pairs = pairs
        self._order = order

    @property
    def present(self) -> Floats:
        # A text that has any n-gram of an order has one at its first word.
        a, b = (side.starts[self._order][0] for side in (self._pairs.a, self._pairs.b))
        return np.asarray(a | b, dtype=np.float64)

    @property
    def sets(self) -> tuple[Floats, Floats, Floats]:
        order = self._order
        a, b = self._pairs.a.first[order], self._pairs.b.first[order]
        return _total(a), _total(b), _total(a & (self._pairs.there[order] > 0))

    @property
    def bags(self) -> tuple[Floats, Floats, Floats]:
        order = self._order
        a, b = self._pairs.a, self._pairs.b
        least = np.minimum(a.times[order], self._pairs.there[order])
        both = _total(least * a.first[order])
        return _total(a.starts[order]), _total(b.starts[order]), both

    @property
    def products(self) -> tuple[Floats, Floats, Floats]:
        order = self._order
        a, b = self._pairs.a.times[order], self._pairs.b.times[order]
        return _total(a), _total(b), _total(self._pairs.there[order])


def _total(counts: Bools | Bytes) -> Floats:
    return np.asarray(counts.sum(axis=0, dtype=np.uint16), dtype=np.float64)


def keep_freed_memory() -> None:
    """Make the C library keep what is freed: new pages cost more than the work done in them.

    glibc takes the largest block that was freed for the size from which it gives memory back.
    Nothing is written into the block, so it costs nothing.
    """
    np.empty(2**24, dtype=np.uint8)
