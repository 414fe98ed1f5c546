"""The scale from 1 (hardest) to 5 (easiest): soft ends, so that no two passages tie at one."""

from __future__ import annotations

import math

LOWEST, MIDDLE, HIGHEST = 1.0, 3.0, 5.0
_HALF = (HIGHEST - LOWEST) / 2
LEVELS = {"elementary": 3.7, "intermediate": 3.2, "advanced": 2.8}
"""What the three levels of OneStopEnglish stand for here: a convention. News for adults is no
hardest text, and its elementary version is no first reader."""
USUAL, SPREAD = 3.2, 0.8
"""Mean and spread of the ratings (before the soft ends) of sound text: stories, news, and an
encyclopaedia. A convention, too."""


def squashed(raw: float) -> float:
    """A rating from an unbounded number: nearly the same in the middle, never beyond the ends."""
    return MIDDLE + _HALF * math.tanh((raw - MIDDLE) / _HALF)


def unsquashed(rating: float) -> float:
    """The unbounded number behind a rating that is inside the scale."""
    return MIDDLE + _HALF * math.atanh((rating - MIDDLE) / _HALF)


def clipped(raw: float) -> float:
    """A rating within the scale."""
    return min(max(raw, LOWEST), HIGHEST)
