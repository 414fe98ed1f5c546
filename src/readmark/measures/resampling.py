"""The bootstrap over clusters, and intervals from it (Efron and Tibshirani, An Introduction to
the Bootstrap).

Clusters are drawn with replacement; a statistic is a function of the drawn clusters' sums, which
are exact on the grid, so the values are the same on any machine. The slow path takes rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import UsageError
from readmark.measures.draws import picks

Floats = NDArray[np.float64]
Aggregate = Callable[[Floats], Floats]
"""Maps sums (..., width) to values (...), NaN where undefined."""
Score = Callable[[Floats], float]
"""Maps the rows (units, width) to one value: a statistic that is no function of sums."""
Interval = tuple[float | None, float | None]

_NORMAL = NormalDist()


@np.errstate(divide="ignore", invalid="ignore")
def bootstrap(sums: Floats, aggregate: Aggregate, *, seed: int, draws: int) -> Floats:
    """The statistic on each of the resamples; all NaN with fewer than two clusters."""
    return aggregate(resampled_sums(sums, seed=seed, draws=draws))


def resampled_sums(sums: Floats, *, seed: int, draws: int) -> Floats:
    """The sums (draws, width) of each resample, whatever statistics are made of them after.

    One or no cluster cannot be resampled, since every draw would be the test itself: all NaN.
    """
    n = len(sums)
    values = np.full((draws, sums.shape[1]), np.nan)
    if n < 2:
        return values
    sums = np.asarray(sums, dtype=np.float64)
    at = 0
    for block in picks(seed, draws, n):
        k = len(block)
        block += np.arange(k)[:, None] * n
        times = np.bincount(block.ravel(), minlength=k * n).reshape(k, n)
        values[at : at + k] = times.astype(np.float64) @ sums
        at += k
    return values


@np.errstate(divide="ignore", invalid="ignore")
def bootstrap_rows(
    rows: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: Score,
    *,
    seed: int,
    draws: int,
) -> Floats:
    """The same draws for a score that is no function of sums: the drawn clusters' rows, joined."""
    values = np.full(draws, np.nan)
    if n_clusters < 2:
        return values
    rows = rows[np.argsort(codes, kind="stable")]
    sizes = np.bincount(codes, minlength=n_clusters)
    starts = np.cumsum(sizes) - sizes
    at = 0
    for block in picks(seed, draws, n_clusters):
        for drawn in block:
            lengths = sizes[drawn]
            ends = np.cumsum(lengths)
            shifts = np.repeat(starts[drawn] - ends + lengths, lengths)
            values[at] = score(rows[np.arange(ends[-1]) + shifts])
            at += 1
    return values


@np.errstate(divide="ignore", invalid="ignore")
def jackknife(sums: Floats, aggregate: Aggregate) -> Floats:
    """The statistic without each cluster in turn."""
    return np.asarray(aggregate(sums.sum(axis=0) - sums))


def interval(values: Floats, *, level: float = 0.95) -> Interval:
    """The percentile interval; undefined draws are dropped, and fewer than two give none."""
    tail = tail_of(level)
    ordered = np.sort(values[np.isfinite(values)])
    if len(ordered) < 2:
        return None, None
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def bca_interval(
    values: Floats, observed: float, jackknife: Floats, *, level: float = 0.95
) -> Interval:
    """The bias-corrected and accelerated interval (Efron, Better Bootstrap Confidence Intervals).

    The percentile one where a correction is undefined: every draw equal or on one side of the
    observed value, or a jackknife with no spread or with undefined values.
    """
    tail = tail_of(level)
    ordered = np.sort(values[np.isfinite(values)])
    if len(ordered) < 2:
        return None, None
    below = np.count_nonzero(ordered < observed)
    equal = np.count_nonzero(ordered == observed)
    # Draws equal to the observed value count by half: figures over few units have many.
    share = (below + equal / 2) / len(ordered)
    acceleration = _acceleration(jackknife)
    if not 0 < share < 1 or ordered[0] == ordered[-1] or acceleration is None:
        return interval(values, level=level)
    bias = _NORMAL.inv_cdf(share)
    ends = []
    for nominal in (_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(1 - tail)):
        shrink = 1 - acceleration * (bias + nominal)
        if shrink <= 0:
            return interval(values, level=level)
        ends.append(_quantile(ordered, _NORMAL.cdf(bias + (bias + nominal) / shrink)))
    return ends[0], ends[1]


def _acceleration(jackknife: Floats) -> float | None:
    """A sixth of the skewness of the jackknife, or None; fsum, so that no order matters."""
    if len(jackknife) < 2 or not np.isfinite(jackknife).all():
        return None
    away = math.fsum(jackknife.tolist()) / len(jackknife) - jackknife
    squares = math.fsum((away * away).tolist())
    scale = 6 * squares * math.sqrt(squares)
    if scale == 0:  # no spread, or one too small for a double
        return None
    return math.fsum((away * away * away).tolist()) / scale


def tail_of(level: float) -> float:
    """What an interval of a confidence level leaves out on either side."""
    if not 0 < level < 1:
        raise UsageError(f"a confidence level lies between 0 and 1, not at {level:g}")
    return (1 - level) / 2


def _quantile(ordered: Floats, share: float) -> float:
    """Linear between order statistics; written out, since numpy's rounding has changed before."""
    place = share * (len(ordered) - 1)
    under = min(int(place), len(ordered) - 2)
    low, high = float(ordered[under]), float(ordered[under + 1])
    return min(high, low + (place - under) * (high - low))
