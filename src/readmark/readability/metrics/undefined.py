"""Why a correlation of ratings is undefined, in words for marks and reports."""

from __future__ import annotations

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.counts import counted

ALIKE = "the ratings, or the gold ratings, differ by less than a billionth"
"""For Pearson's correlation: they vary, but by no more than the rounding of sums."""


def why_undefined(gold: Floats, ratings: Floats, unanswered: Floats) -> list[str]:
    """The reason, or nothing where the correlation is defined."""
    missing = int(np.count_nonzero(unanswered))
    if missing:
        return [f"undefined: {counted(missing, 'passage is', 'passages are')} unanswered"]
    if len(gold) < 2:
        return ["undefined: a correlation takes two passages or more"]
    if np.ptp(ratings) == 0:
        return ["undefined: the ratings are all the same"]
    if np.ptp(gold) == 0:
        return ["undefined: the gold ratings are all the same"]
    return []
