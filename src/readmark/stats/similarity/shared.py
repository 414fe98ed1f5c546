"""What two texts share of their n-grams of words: the counts that measures of words are made of."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
N = TypeVar("N", float, Floats)


class Shared(ABC, Generic[N]):
    """Counts for one pair of texts (a number each) or for many (an array each).

    A set counts an n-gram once, a bag as often as it stands in the text.
    """

    @property
    @abstractmethod
    def set_a(self) -> N:
        """How many n-grams the first text has."""

    @property
    @abstractmethod
    def set_b(self) -> N:
        """How many the second has."""

    @property
    @abstractmethod
    def set_both(self) -> N:
        """How many both have."""

    @property
    @abstractmethod
    def bag_a(self) -> N:
        """The first text's n-grams with their repetitions."""

    @property
    @abstractmethod
    def bag_b(self) -> N:
        """The second's."""

    @property
    @abstractmethod
    def bag_both(self) -> N:
        """Each n-gram as often as both have it."""

    @property
    @abstractmethod
    def square_a(self) -> N:
        """The squares of the first text's counts, summed."""

    @property
    @abstractmethod
    def square_b(self) -> N:
        """The second's."""

    @property
    @abstractmethod
    def product(self) -> N:
        """The products of both texts' counts, summed."""


Measure = Callable[[Shared[N]], N]


def share(part: N, whole: N) -> N:
    """A part of a whole; nothing of nothing is all of it."""
    if isinstance(whole, np.ndarray):
        return np.divide(part, whole, out=np.ones(whole.shape), where=whole != 0)
    return part / whole if whole else 1.0


def root(square: N) -> N:
    """The square root."""
    return np.sqrt(square) if isinstance(square, np.ndarray) else math.sqrt(square)


class Grams:
    """The n-grams of one text, as a set and as a bag."""

    def __init__(self, words: Sequence[str], order: int) -> None:
        self.listed = list(zip(*(words[at:] for at in range(order)), strict=False))
        self.once = frozenset(self.listed)

    @functools.cached_property
    def bag(self) -> Counter[tuple[str, ...]]:
        """How often each stands in the text."""
        return Counter(self.listed)

    @functools.cached_property
    def square(self) -> int:
        """The squares of the counts, summed."""
        return sum(count * count for count in self.bag.values())


class Pair(Shared[float]):
    """What one pair of texts shares."""

    def __init__(self, a: Grams, b: Grams) -> None:
        self._a = a
        self._b = b

    @property
    def set_a(self) -> float:
        return len(self._a.once)

    @property
    def set_b(self) -> float:
        return len(self._b.once)

    @property
    def set_both(self) -> float:
        return len(self._a.once & self._b.once)

    @property
    def bag_a(self) -> float:
        return len(self._a.listed)

    @property
    def bag_b(self) -> float:
        return len(self._b.listed)

    @property
    def bag_both(self) -> float:
        a, b = self._a.bag, self._b.bag
        return sum(min(a[gram], b[gram]) for gram in self._a.once & self._b.once)

    @property
    def square_a(self) -> float:
        return self._a.square

    @property
    def square_b(self) -> float:
        return self._b.square

    @property
    def product(self) -> float:
        a, b = self._a.bag, self._b.bag
        return sum(a[gram] * b[gram] for gram in self._a.once & self._b.once)
