"""Correlations of two columns: Pearson's from moments, Spearman's and Kendall's from ranks."""

from __future__ import annotations

import math
from typing import Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.grid import GRID, REACH, Number, product, to_grid

Ranks = NDArray[np.int64]

_LEAST, _LEAST_FAR = 2.0**-76, 2.0**-40
"""A variance no larger than this share of the mean square is rounding: 4e-12, as a root, or a
millionth where squares add up to more than the grid reaches."""
_SPLITTING = 2.0**27 + 1
"""What halves the digits of a double (Dekker, A Floating-Point Technique)."""
_FEW = 96  # up to this many rows, comparing every pair is quicker than sorting


class Moments(NamedTuple, Generic[Number]):
    """What Pearson's correlation is made of, of a row or summed, all of it on the grid.

    A number is its multiple of the grid and the rest (``x_low``) in GRIDs. A product has a rest in
    GRIDs and a lower one in GRIDs of GRIDs. Sums of each are exact, so that numbers that hug their
    mean lose no digits in their squares.
    """

    n: Number
    x: Number
    y: Number
    xx: Number
    yy: Number
    xy: Number
    xx_rest: Number
    yy_rest: Number
    xy_rest: Number
    x_low: Number
    y_low: Number
    xx_low: Number
    yy_low: Number
    xy_low: Number


def moments(x: Number, y: Number) -> Moments[Number]:
    """The moments of one row, or of several as arrays."""
    (x, x_low), (y, y_low) = in_parts(x), in_parts(y)
    xx, xx_rest, xx_low = _product(x, x_low, x, x_low)
    yy, yy_rest, yy_low = _product(y, y_low, y, y_low)
    xy, xy_rest, xy_low = _product(x, x_low, y, y_low)
    ones = x * 0.0 + 1.0
    near = (ones, x, y, xx, yy, xy)
    return Moments(*near, xx_rest, yy_rest, xy_rest, x_low, y_low, xx_low, yy_low, xy_low)


def in_parts(x: Number) -> tuple[Number, Number]:
    """A number as one on the grid and the rest of it in GRIDs, which is on the grid too."""
    near = to_grid(x)
    return near, to_grid((x - near) / GRID)


def _product(a: Number, a_low: Number, b: Number, b_low: Number) -> tuple[Number, Number, Number]:
    """A product on the grid, in GRIDs, and in GRIDs of GRIDs; what is smaller is left out."""
    near, rest = product(a, b)
    (cross_a, rest_a), (cross_b, rest_b) = product(a, b_low), product(a_low, b)
    return near, rest + (cross_a + cross_b), rest_a + rest_b + to_grid(a_low * b_low)


def from_moments(sums: Floats) -> Floats:
    """Pearson's correlation of sums (..., 14) of ``Moments``.

    NaN where it is undefined: with fewer than two rows, or where a column does not vary.
    """
    n, x, y, xx, yy, xy, xx_rest, yy_rest, xy_rest, *low = np.moveaxis(sums, -1, 0)
    x_low, y_low, xx_low, yy_low, xy_low = low
    with np.errstate(divide="ignore", invalid="ignore"):
        x_spread = _cross(n, (x, x_low), (x, x_low), (xx, xx_rest, xx_low))
        y_spread = _cross(n, (y, y_low), (y, y_low), (yy, yy_rest, yy_low))
        shared = _cross(n, (x, x_low), (y, y_low), (xy, xy_rest, xy_low))
        r = shared / np.sqrt(x_spread * y_spread)
        defined = (n >= 2) & (x_spread > _rounding(xx, n)) & (y_spread > _rounding(yy, n))
    return np.where(defined, np.clip(r, -1.0, 1.0), np.nan)


def _rounding(squares: Floats, n: Floats) -> Floats:
    """The variance that roundings alone may give to numbers whose squares add up to this."""
    share = np.where(squares < REACH, _LEAST, _LEAST_FAR)
    return np.asarray(share * (squares / n + GRID))


def _cross(
    n: Floats, x: tuple[Floats, Floats], y: tuple[Floats, Floats], xy: tuple[Floats, Floats, Floats]
) -> Floats:
    """Σxy / n − Σx Σy / n², with the digits that cancel kept: sums come in parts, in GRIDs."""
    above, above_rest = _exact_product(n, xy[0])
    below, below_rest = _exact_product(x[0], y[0])
    first = (above - below) + (above_rest - below_rest)
    second = n * xy[1] - (x[0] * y[1] + x[1] * y[0])
    third = n * xy[2] - x[1] * y[1]
    return np.asarray((first + GRID * (second + GRID * third)) / (n * n))


def _exact_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """A product as a double and what its rounding left (Dekker's)."""
    near = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    rest = ((a_high * b_high - near) + a_high * b_low + a_low * b_high) + a_low * b_low
    return near, np.asarray(rest)


def _halves(a: Floats) -> tuple[Floats, Floats]:
    high = _SPLITTING * a
    high = high - (high - a)
    return high, a - high


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
    return pearson(mean_ranks(x), mean_ranks(y))


def kendall(x: Floats, y: Floats) -> float:
    """tau-b (Kendall, The Treatment of Ties in Ranking Problems), in O(n log n).

    Discordant pairs are the inversions of y once the rows are in the order of x, then y
    (Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data).
    """
    n = len(x)
    if n < 2:
        return math.nan
    if n <= _FEW:
        x_signs, y_signs = _signs(x).ravel(), _signs(y).ravel()
        scale = math.sqrt(float(x_signs @ x_signs) * float(y_signs @ y_signs))
        return float(x_signs @ y_signs) / scale if scale > 0 else math.nan
    _, x_ranks, x_sizes = np.unique(x, return_inverse=True, return_counts=True)
    _, y_ranks, y_sizes = np.unique(y, return_inverse=True, return_counts=True)
    rows = np.sort(x_ranks.astype(np.int64) * n + y_ranks)  # by x, then y
    pairs = n * (n - 1) // 2
    x_tied, y_tied = _tied(x_sizes), _tied(y_sizes)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    tied = _tied(np.diff(starts, append=n))
    if x_tied == pairs or y_tied == pairs:
        return math.nan
    discordant = _inversions(rows % n)
    concordant = pairs - x_tied - y_tied + tied - discordant
    # Whole numbers under one root, so that perfect agreement is 1 to the last bit.
    return (concordant - discordant) / math.sqrt((pairs - x_tied) * (pairs - y_tied))


def _signs(x: Floats) -> Floats:
    """The sign of the difference of every pair."""
    return np.asarray(np.sign(np.subtract.outer(x, x)))


def mean_ranks(x: Floats) -> Floats:
    """The rank of each number from 1 on; equal ones share the mean of theirs."""
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
        # Rows that share the higher bits are adjacent; only they are compared.
        first = np.flatnonzero(np.diff(high >> 1, prepend=-1))
        lengths = np.diff(first, append=len(ranks))
        within = before - np.repeat(before[first], lengths)
        count += int(within[ones == 0].sum())
        ranks = ranks[np.argsort(high, kind="stable")]
    return count
