"""Correlations of two columns: Pearson's from moments, Spearman's and Kendall's from ranks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from readmark.measures.grid import GRID

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]

_LEAST = 2.0**-40
"""A variance no larger than this share of the mean square is rounding: a millionth, as a root."""
_FEW = 96
"""Up to so many rows, comparing every pair is quicker than sorting."""


def from_moments(sums: Floats) -> Floats:
    """Pearson's correlation of sums (..., 9) of 1, x, y, xx, yy, xy and the products' rests.

    Products are on the grid with their rests in GRIDs, as ``product`` gives them: what is nearly
    the same in all rows is lost in squares otherwise. NaN where it is undefined: with fewer than
    two rows, or where a column does not vary.
    """
    n, x, y, xx, yy, xy, xx_rest, yy_rest, xy_rest = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        x_mean, y_mean = x / n, y / n
        x_spread = (xx / n - x_mean * x_mean) + xx_rest / n * GRID
        y_spread = (yy / n - y_mean * y_mean) + yy_rest / n * GRID
        shared = (xy / n - x_mean * y_mean) + xy_rest / n * GRID
        r = shared / np.sqrt(x_spread * y_spread)
        defined = (n >= 2) & (x_spread > _LEAST * xx / n) & (y_spread > _LEAST * yy / n)
    return np.where(defined, np.clip(r, -1.0, 1.0), np.nan)


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's correlation; NaN where a column does not vary."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(x @ x) * float(y @ y))
    return max(-1.0, min(1.0, float(x @ y) / scale)) if scale > 0 else math.nan


def spearman(x: Floats, y: Floats) -> float:
    """Pearson's correlation of the ranks, ties sharing their mean rank."""
    if len(x) <= _FEW:  # twice a rank less its mean is how many it is above less how many below
        return pearson(_signs(x).sum(axis=1), _signs(y).sum(axis=1))
    return pearson(_mean_ranks(x), _mean_ranks(y))


def kendall(x: Floats, y: Floats) -> float:
    """tau-b (Kendall, The Treatment of Ties in Ranking Problems), in O(n log n).

    Discordant pairs are the inversions of y once the rows stand in the order of x, then y
    (Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data).
    """
    n = len(x)
    if n < 2:
        return math.nan
    if n <= _FEW:
        one, other = _signs(x).ravel(), _signs(y).ravel()
        scale = math.sqrt(float(one @ one) * float(other @ other))
        return float(one @ other) / scale if scale > 0 else math.nan
    _, x_ranks, x_sizes = np.unique(x, return_inverse=True, return_counts=True)
    _, y_ranks, y_sizes = np.unique(y, return_inverse=True, return_counts=True)
    both = np.sort(x_ranks.astype(np.int64) * n + y_ranks)
    pairs = n * (n - 1) // 2
    x_tied, y_tied = _tied(x_sizes), _tied(y_sizes)
    starts = np.flatnonzero(np.diff(both, prepend=-1))
    tied = _tied(np.diff(starts, append=n))
    if x_tied == pairs or y_tied == pairs:
        return math.nan
    discordant = _inversions(both % n)
    concordant = pairs - x_tied - y_tied + tied - discordant
    # Whole numbers under one root, so that perfect agreement is 1 to the last bit.
    return (concordant - discordant) / math.sqrt((pairs - x_tied) * (pairs - y_tied))


def _signs(x: Floats) -> Floats:
    """Of the difference of every pair: all pairs at once are quickest while there are few."""
    return np.asarray(np.sign(np.subtract.outer(x, x)))


def _mean_ranks(x: Floats) -> Floats:
    _, ranks, sizes = np.unique(x, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[ranks], dtype=np.float64)


def _tied(sizes: Ranks) -> int:
    """Pairs within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(ranks: Ranks) -> int:
    """Pairs of which the later is the smaller, counted at the highest bit in which they differ."""
    count = 0
    for bit in reversed(range(int(ranks.max()).bit_length())):
        high = ranks >> bit
        ones = high & 1
        before = np.cumsum(ones) - ones
        # What is alike in the bits above stands together; only that is compared.
        first = np.flatnonzero(np.diff(high >> 1, prepend=-1))
        lengths = np.diff(first, append=len(ranks))
        within = before - np.repeat(before[first], lengths)
        count += int(within[ones == 0].sum())
        ranks = ranks[np.argsort(high, kind="stable")]
    return count
