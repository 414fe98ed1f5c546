"""The chi-square distribution, for tests of counts."""

from __future__ import annotations

import math


def chi_square_survival(value: float, freedom: int) -> float:
    """The chance of so large a chi-square or a larger one, by the sums for whole degrees.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    if freedom < 1 or value <= 0:
        return 1.0
    half = value / 2
    if freedom % 2:
        term = math.sqrt(half) * math.exp(-half) * 2 / math.sqrt(math.pi)
        total, step = math.erfc(math.sqrt(half)), 1.5
    else:
        term, total, step = math.exp(-half), 0.0, 1.0
    for _ in range(freedom // 2):
        total += term
        term *= half / step
        step += 1
    return min(1.0, total)
