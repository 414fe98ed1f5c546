"""Measures of words: formulas over the n-grams of words that two texts share.

A formula serves one pair of texts (``SharedByPair``) and many at once (``positions``) alike.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError

N = TypeVar("N", float, Floats)


class Shared(ABC, Generic[N]):
    """Counts of n-grams for one pair of texts (a number each) or for many (an array each).

    A set counts an n-gram once, a bag as often as it occurs in the text.
    """

    @property
    @abstractmethod
    def present(self) -> N:
        """1 where at least one text of the pair has an n-gram, else 0."""

    @property
    @abstractmethod
    def sets(self) -> tuple[N, N, N]:
        """How many n-grams the first text has, how many the second, and how many both."""

    @property
    @abstractmethod
    def bags(self) -> tuple[N, N, N]:
        """The same with repetitions; those of both as often as both have them."""

    @property
    @abstractmethod
    def products(self) -> tuple[N, N, N]:
        """Sums of squares of the first text's counts, of the second's, and of their products."""


Measure = Callable[[Shared[N]], N]


class Grams:
    """The n-grams of one text, as a set and as a bag.

    They begin at each word, or ``disjoint`` where the one before ended; then the last may be short.
    """

    def __init__(self, words: Sequence[str], order: int, *, disjoint: bool = False) -> None:
        self.listed: list[tuple[str, ...]]
        if disjoint:
            starts = range(0, len(words), order)
            self.listed = [tuple(words[start : start + order]) for start in starts]
        else:
            self.listed = list(zip(*(words[start:] for start in range(order)), strict=False))
        self.once = frozenset(self.listed)

    @functools.cached_property
    def bag(self) -> Counter[tuple[str, ...]]:
        """How often each occurs in the text."""
        return Counter(self.listed)

    @functools.cached_property
    def square(self) -> int:
        """The squares of the counts, summed."""
        return sum(count * count for count in self.bag.values())


class TextGrams:
    """The n-grams of one text by their order, made when they are first looked at."""

    def __init__(self, words: Sequence[str], *, disjoint: bool = False) -> None:
        self.words = words
        self._disjoint = disjoint
        self._by_order: dict[int, Grams] = {}

    def of_order(self, order: int) -> Grams:
        """Those of so many words."""
        if order not in self._by_order:
            self._by_order[order] = Grams(self.words, order, disjoint=self._disjoint)
        return self._by_order[order]


class SharedByPair(Shared[float]):
    """What one pair of texts shares."""

    def __init__(self, a: Grams, b: Grams) -> None:
        self._a = a
        self._b = b

    @property
    def present(self) -> float:
        return float(bool(self._a.listed or self._b.listed))

    @property
    def sets(self) -> tuple[float, float, float]:
        a, b = self._a.once, self._b.once
        return len(a), len(b), len(a & b)

    @property
    def bags(self) -> tuple[float, float, float]:
        a, b = self._a.bag, self._b.bag
        both = sum(min(a[gram], b[gram]) for gram in self._a.once & self._b.once)
        return len(self._a.listed), len(self._b.listed), both

    @property
    def products(self) -> tuple[float, float, float]:
        a, b = self._a.bag, self._b.bag
        product = sum(a[gram] * b[gram] for gram in self._a.once & self._b.once)
        return self._a.square, self._b.square, product


def share(part: N, total: N) -> N:
    """A part of a whole; nothing of nothing is all of it."""
    if isinstance(total, np.ndarray):
        return np.divide(part, total, out=np.ones(total.shape), where=total != 0)
    return part / total if total else 1.0


def root(square: N) -> N:
    """The square root."""
    return np.sqrt(square) if isinstance(square, np.ndarray) else math.sqrt(square)


def jaccard(shared: Shared[N]) -> N:
    """|A ∩ B| / |A ∪ B|."""
    a, b, both = shared.sets
    return share(both, a + b - both)


def dice(shared: Shared[N]) -> N:
    """2 |A ∩ B| / (|A| + |B|)."""
    a, b, both = shared.sets
    return share(2 * both, a + b)


def block(shared: Shared[N]) -> N:
    """1 - Σ |a - b| / (Σ a + Σ b), which is the share of both bags that pairs off."""
    a, b, both = shared.bags
    return share(2 * both, a + b)


def cosine(shared: Shared[N]) -> N:
    """Σ a b / √(Σ a² Σ b²), over counts; a text without n-grams is unlike every other."""
    return over_geometric_mean(*shared.products)


def over_geometric_mean(a: N, b: N, both: N) -> N:
    """Both over √(a b); where one side is empty and the other is not, nothing is shared: 0."""
    return share(both, root(a * b) + (a == 0) * b + (b == 0) * a)


def euclidean(shared: Shared[N]) -> N:
    """1 - √Σ (a - b)² / √(Σ a² + Σ b²): the greatest distance is that of nothing shared."""
    a, b, product = shared.products
    # 1 - share of the squares that is left, so that nothing against nothing is 1.
    return 1 - root(1 - share(2 * product, a + b))


# One score of several orders of n-grams: the weighted mean of a measure at each order.


Weights = tuple[float, float, float]
"""How much words, pairs of words and triples of words weigh."""


def check_weights(weights: Weights, *, of: str) -> None:
    """Weights that no mean can be made of are a usage error."""
    if not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise UsageError(f"{of}: weights u, b and t are at least 0, and one is more")
    if not math.isfinite(sum(weights)):
        raise UsageError(f"{of}: the sum of weights u, b and t is beyond any number")


class ComparedTexts(ABC, Generic[N]):
    """One pair of texts, or many: what they share of each order, and whether they are equal."""

    @abstractmethod
    def of_order(self, order: int) -> Shared[N]:
        """The n-grams of an order."""

    @property
    @abstractmethod
    def equal(self) -> N:
        """1 where both texts have the same words in the same order, else 0."""


class TextPair(ComparedTexts[float]):
    """One pair of texts."""

    def __init__(self, a: TextGrams, b: TextGrams) -> None:
        self._a = a
        self._b = b

    def of_order(self, order: int) -> SharedByPair:
        """The n-grams of an order that the two texts share."""
        return SharedByPair(self._a.of_order(order), self._b.of_order(order))

    @property
    def equal(self) -> float:
        return float(self._a.words == self._b.words)


ORDERS = "present"
"""The rule of ``weighted`` for orders that neither text has, in signatures."""


def weighted(measure: Measure[N], weights: Weights, texts: ComparedTexts[N]) -> N:
    """(u S₁ + b S₂ + t S₃) / (u + b + t) over the orders that at least one of two texts has.

    Texts too short for every order with a weight are alike only if they are equal.
    """
    orders = [(weight, texts.of_order(order)) for order, weight in enumerate(weights, 1) if weight]
    counting = [weight * shared.present for weight, shared in orders]
    parts = [part * measure(shared) for part, (_, shared) in zip(counting, orders, strict=True)]
    total, used = sum(parts[1:], parts[0]), sum(counting[1:], counting[0])
    if isinstance(used, np.ndarray):
        return np.divide(total, used, out=texts.equal, where=used != 0)
    return total / used if used else texts.equal
