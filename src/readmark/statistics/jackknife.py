"""Intervals from the jackknife: the statistic without each cluster in turn, and Student's t.

Bootstrap intervals of a few clusters are too narrow, since every draw holds the same few. Here the
spread of the leave-one-out values gives the standard error (Efron and Tibshirani, An Introduction
to the Bootstrap, chapter 11), and Student's t with one degree of freedom fewer than clusters allows
for how uncertain that error itself is. Nothing is drawn.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.resampling import Aggregate, Interval, Score, tail_of

# Values that should be equal may come out of the division a few units in the last place apart.
_TOLERANCE = 1e-12
_TINY = 1e-300
_CLOSE = 1e-15
_MOST_EXPONENT = 700.0
_MOST_STEPS = 100_000


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
    rows: Floats, codes: NDArray[np.intp], n_clusters: int, score: Score
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


@lru_cache(maxsize=1024)
def t_quantile(tail: float, freedom: int) -> float:
    """The value that Student's t exceeds with the probability ``tail``, at most one half."""
    below = beta_quantile(2 * tail, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - below) / below)


def beta_quantile(share: float, a: float, b: float) -> float:
    """The value that a beta variable is below with the probability ``share``.

    By Newton's steps, and by halves wherever one leads out of what is known to hold the value.
    """
    low, high, x = 0.0, 1.0, a / (a + b)
    while low < x < high:
        above = beta_cdf(x, a, b) - share
        low, high = (x, high) if above < 0 else (low, x)
        density = _log_beta(a, b) + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)
        step = x - above * math.exp(min(-density, _MOST_EXPONENT))
        before, x = x, step if low < step < high else (low + high) / 2
        if abs(x - before) <= _CLOSE * x:
            break
    return x


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction.

    NIST Digital Library of Mathematical Functions, 8.17.22, evaluated by Lentz's method.
    """
    if not 0 < x < 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction of the other tail converges faster
        return 1 - beta_cdf(1 - x, b, a)
    front = math.exp(_log_beta(a, b) + a * math.log(x) + b * math.log1p(-x)) / a
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        if step % 2:
            part = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            part = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        below = 1 / ((1 + part * below) or _TINY)
        above = (1 + part / above) or _TINY
        value *= above * below
        if abs(above * below - 1) < _CLOSE:
            break
    return front / value


def _log_beta(a: float, b: float) -> float:
    """The logarithm of one over the beta function."""
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
