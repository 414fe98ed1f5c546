"""How many tokens two sequences share, whatever their order, and the F1 of what is shared."""

from __future__ import annotations

from collections.abc import Sequence


def f1(shared: int, answered: int, expected: int) -> float:
    """Harmonic mean of shared/answered and shared/expected; 0 when nothing is shared.

    Written as 2 shared / (answered + expected), the same number with one rounding.
    """
    return 2 * shared / (answered + expected) if shared else 0.0


def bag_overlap(a: Sequence[str], b: Sequence[str]) -> int:
    """Size of the multiset intersection."""
    if len(a) > len(b):
        a, b = b, a
    left: dict[str, int] = {}
    for token in a:
        left[token] = left.get(token, 0) + 1
    shared = 0
    for token in b:
        count = left.get(token, 0)
        if count:
            shared += 1
            left[token] = count - 1
    return shared
