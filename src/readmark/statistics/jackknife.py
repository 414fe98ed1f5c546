"""Intervals from the jackknife: the statistic without each cluster in turn, and Student's t.

Bootstrap intervals of a few clusters are too narrow, since every draw holds the same few. Here the
spread of the leave-one-out values gives the standard error (Efron and Tibshirani, An Introduction
to the Bootstrap, chapter 11), and Student's t with one degree of freedom fewer than clusters allows
for how uncertain that error itself is. Nothing is drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.distributions import beta_quantile, t_quantile
from readmark.statistics.intervals import Interval, tail_of
from readmark.statistics.resampling import Aggregate, ScoreOfRows

# Values that should be equal may come out of the division a few units in the last place apart.
_TOLERANCE = 1e-12


@np.errstate(divide="ignore", invalid="ignore")
def jackknife_values(sums: Floats, aggregate: Aggregate) -> Floats:
    """The statistic without each cluster in turn."""
    return np.asarray(aggregate(sums.sum(axis=0) - sums))


@np.errstate(divide="ignore", invalid="ignore")
def leave_one_out(sums: Floats, aggregate: Aggregate) -> Floats:
    """The statistic without each cluster in turn, the sums scaled back up to all clusters.

    The scaling matters to a statistic that is a plain sum; ratios of sums are unaffected.
    """
    n = len(sums)
    if n < 2:
        return np.full(n, np.nan)
    return np.asarray(aggregate((sums.sum(axis=0) - sums) * (n / (n - 1))))


@np.errstate(divide="ignore", invalid="ignore")
def leave_one_out_rows(
    rows: Floats, codes: NDArray[np.intp], n_clusters: int, score: ScoreOfRows
) -> Floats:
    """The same for a score that is no function of sums."""
    if n_clusters < 2:
        return np.full(n_clusters, np.nan)
    return np.array([score(rows[codes != cluster]) for cluster in range(n_clusters)])


def standard_error(observed: float, left_out: Floats) -> float | None:
    """The jackknife's, about the observed value; None where it is undefined.

    fsum, so that no order of the clusters matters.
    """
    n = len(left_out)
    if n < 2 or not (math.isfinite(observed) and np.isfinite(left_out).all()):
        return None
    away = left_out - observed
    error = math.sqrt((n - 1) / n * math.fsum((away * away).tolist()))
    return 0.0 if error <= _TOLERANCE * max(1.0, abs(observed)) else error


def t_interval(
    observed: float,
    left_out: Floats,
    *,
    level: float = 0.95,
    least: float = -math.inf,
    most: float = math.inf,
) -> Interval:
    """Student's t about the observed value, cut off where no value is possible.

    Clusters that do not vary say nothing of how much others would: no interval.
    """
    tail = tail_of(level)
    error = standard_error(observed, left_out)
    if not error:
        return None, None
    reach = t_quantile(tail, len(left_out) - 1) * error
    return max(least, observed - reach), min(most, observed + reach)


def correlation_interval(observed: float, left_out: Floats, *, level: float = 0.95) -> Interval:
    """Student's t on Fisher's z, so that both ends are between -1 and 1."""
    tail = tail_of(level)
    error = standard_error(observed, left_out)
    if not error or not abs(observed) < 1:
        return None, None
    centre = math.atanh(observed)
    reach = t_quantile(tail, len(left_out) - 1) * error / (1 - observed * observed)
    return math.tanh(centre - reach), math.tanh(centre + reach)


def share_interval(
    observed: float, left_out: Floats, *, units: int, level: float = 0.95
) -> Interval:
    """The exact binomial interval of as many independent units as would vary like these clusters.

    Korn and Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive
    Counts Estimated from Survey Data. There are at most ``units`` of them. Where all is right, or
    nothing, clusters cannot vary, and each counts as one unit.
    """
    tail = tail_of(level)
    error = standard_error(observed, left_out)
    if error is None:
        return None, None
    clusters = len(left_out)
    size = float(units)
    if observed in (0.0, 1.0):
        size = float(clusters)
    elif error > 0:
        wider = t_quantile(tail, units - 1) / t_quantile(tail, clusters - 1)
        size = min(size, observed * (1 - observed) * (wider / error) ** 2)
    right, wrong = observed * size, (1 - observed) * size
    low = beta_quantile(tail, right, wrong + 1) if right else 0.0
    high = 1 - beta_quantile(tail, wrong, right + 1) if wrong else 1.0
    return low, high
