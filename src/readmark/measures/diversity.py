"""How evenly things spread over classes: the entropy of a distribution, and its largest share."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2


def entropy(counts: Iterable[int]) -> float:
    """Shannon's entropy in bits ("A Mathematical Theory of Communication", 1948); 0 for nothing."""
    found = [count for count in counts if count > 0]
    total = sum(found)
    return sum(count / total * log2(total / count) for count in found)


def evenness(counts: Iterable[int], classes: int) -> float | None:
    """Entropy as a share of what as many equal classes have; None for fewer than two classes.

    Pielou's evenness, "The Measurement of Diversity in Different Types of Biological Collections".
    """
    found = list(counts)
    return entropy(found) / log2(classes) if classes > 1 and any(found) else None


def largest_share(counts: Iterable[int]) -> float | None:
    """The share of the largest class; None when nothing was counted."""
    found = list(counts)
    total = sum(found)
    return max(found) / total if total else None
