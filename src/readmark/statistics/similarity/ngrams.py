"""Measures of words: formulas over the n-grams of words that two texts share."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence


class Grams:
    """The n-grams of one text, as a set and as a bag.

    They begin at each word, or ``disjoint`` where the one before ended; then the last may be short.
    """

    def __init__(self, words: Sequence[str], order: int, *, disjoint: bool = False) -> None:
        self.listed: Sequence[Hashable]
        if order == 1:
            self.listed = words  # no tuples: a string remembers its hash
        elif disjoint:
            starts = range(0, len(words), order)
            self.listed = [tuple(words[start : start + order]) for start in starts]
        else:
            self.listed = list(zip(*(words[start:] for start in range(order)), strict=False))
        self.once = frozenset(self.listed)

    @property
    def repeats(self) -> bool:
        """Whether any occurs more than once."""
        return len(self.once) < len(self.listed)

    @functools.cached_property
    def bag(self) -> Counter[Hashable]:
        """How often each occurs in the text."""
        return Counter(self.listed)

    @functools.cached_property
    def square(self) -> int:
        """The squares of the counts, summed."""
        if not self.repeats:
            return len(self.listed)
        return sum(count * count for count in self.bag.values())


class TextGrams:
    """The n-grams of one text by their order, made when they are first looked at."""

    def __init__(self, words: Sequence[str], *, disjoint: bool = False) -> None:
        self.words = words
        self._disjoint = disjoint
        self._by_order: dict[int, Grams] = {}

    def of_order(self, order: int) -> Grams:
        """The n-grams of so many words."""
        if order not in self._by_order:
            self._by_order[order] = Grams(self.words, order, disjoint=self._disjoint)
        return self._by_order[order]


class SharedGrams:
    """Counts of n-grams of two texts: of the first, of the second, and of both.

    A set counts an n-gram once, a bag as often as it occurs in the text.
    """

    def __init__(self, a: Grams, b: Grams) -> None:
        self._a = a
        self._b = b

    @property
    def sets(self) -> tuple[int, int, int]:
        """How many n-grams the first text has, how many the second, and how many both."""
        a, b = self._a.once, self._b.once
        return len(a), len(b), len(a & b)

    @property
    def bags(self) -> tuple[int, int, int]:
        """The same with repetitions; those of both as often as both have them."""
        a, b = self._a, self._b
        shared = a.once & b.once
        paired = len(shared)
        if a.repeats and b.repeats:
            paired = sum(min(a.bag[gram], b.bag[gram]) for gram in shared)
        return len(a.listed), len(b.listed), paired

    @property
    def products(self) -> tuple[int, int, int]:
        """Sums of squares of the first text's counts, of the second's, and of their products."""
        a, b = self._a, self._b
        shared = a.once & b.once
        product = len(shared)
        if a.repeats or b.repeats:
            product = sum(a.bag[gram] * b.bag[gram] for gram in shared)
        return a.square, b.square, product


GramMeasure = Callable[[SharedGrams], float]


def share(part: float, total: float) -> float:
    """A part of a whole; nothing of nothing is all of it."""
    return part / total if total else 1.0


def jaccard(shared: SharedGrams) -> float:
    """|A ∩ B| / |A ∪ B|."""
    a, b, common = shared.sets
    return share(common, a + b - common)


def dice(shared: SharedGrams) -> float:
    """2 |A ∩ B| / (|A| + |B|)."""
    a, b, common = shared.sets
    return share(2 * common, a + b)


def block(shared: SharedGrams) -> float:
    """1 - Σ |a - b| / (Σ a + Σ b), which is the share of both bags that pairs off."""
    a, b, paired = shared.bags
    return share(2 * paired, a + b)


def cosine(shared: SharedGrams) -> float:
    """Σ a b / √(Σ a² Σ b²), over counts; a text without n-grams is unlike every other."""
    return over_geometric_mean(*shared.products)


def over_geometric_mean(a: float, b: float, shared: float) -> float:
    """Shared / √(a b); where one side is empty and the other is not, nothing is shared: 0."""
    return shared / math.sqrt(a * b) if a and b else float(a == b)


def euclidean(shared: SharedGrams) -> float:
    """1 - √Σ (a - b)² / √(Σ a² + Σ b²): the greatest distance is that of nothing shared."""
    a, b, product = shared.products
    # 1 - share of the squares that is left, so that nothing against nothing is 1.
    return 1 - math.sqrt(1 - share(2 * product, a + b))
