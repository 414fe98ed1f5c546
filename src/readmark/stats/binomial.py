"""Counts of yes and no: exact intervals of a share, and exact tails of sums of chances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.jackknife import beta_cdf, beta_quantile
from readmark.stats.resampling import tail_of


def binomial_interval(count: int, total: int, *, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share (Clopper and Pearson, The Use of Confidence or Fiducial Limits
    Illustrated in the Case of the Binomial); 0 to 1 where nothing was counted."""
    tail, rest = tail_of(level), total - count
    low = beta_quantile(tail, count, rest + 1) if count else 0.0
    high = 1 - beta_quantile(tail, rest, count + 1) if rest else 1.0
    return low, high


def binomial_at_least(count: int, total: int, chance: float) -> float:
    """The chance of ``count`` or more of ``total``, each with the same chance."""
    if count <= 0:
        return 1.0
    if count > total:
        return 0.0
    return beta_cdf(chance, count, total - count + 1)


def binomial_at_most(count: int, total: int, chance: float) -> float:
    """The chance of ``count`` or fewer of ``total``, each with the same chance."""
    if count >= total:
        return 1.0
    if count < 0:
        return 0.0
    return beta_cdf(1 - chance, total - count, count + 1)


def sum_at_least(count: int, chances: Sequence[float]) -> float:
    """The chance that ``count`` or more happen, where each has a chance of its own.

    The exact distribution of the sum (Poisson binomial), one event added after the other.
    """
    if count <= 0:
        return 1.0
    if count > len(chances):
        return 0.0
    # Cell k holds the chance of k so far; the last cell that of `count` or more.
    cells = np.zeros(count + 1)
    cells[0] = 1.0
    for chance in chances:
        happens = cells[:-1] * chance
        reached = cells[-1] + happens[-1]
        cells[:-1] -= happens
        cells[1:-1] += happens[:-1]
        cells[-1] = reached
    return float(min(1.0, cells[-1]))
