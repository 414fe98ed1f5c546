"""The scale of ratings: 1 (hardest to read) to 5 (easiest)."""

from __future__ import annotations

import math

STARS = range(1, 6)
"""The whole ratings, from the hardest to the easiest."""
LOWEST, HIGHEST = STARS[0], STARS[-1]
MIDDLE = (LOWEST + HIGHEST) / 2

_HALF = (HIGHEST - LOWEST) / 2


def squashed(raw: float) -> float:
    """A rating from an unbounded number: nearly the same in the middle, never beyond the ends.

    Soft ends keep the order of passages that a cut would make equal.
    """
    return MIDDLE + _HALF * math.tanh((raw - MIDDLE) / _HALF)


def clipped(raw: float) -> float:
    """A rating from an unbounded number, cut at the ends."""
    return min(max(raw, LOWEST), HIGHEST)
