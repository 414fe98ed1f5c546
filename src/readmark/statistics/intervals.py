"""Intervals from bootstrap draws: percentile, and bias-corrected and accelerated."""

from __future__ import annotations

import math

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.statistics.distributions import beta_quantile

Interval = tuple[float | None, float | None]
"""Both ends, or None where nothing can be said."""


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
    from statistics import NormalDist

    normal = NormalDist()
    bias = normal.inv_cdf(share)
    ends = []
    for nominal in (normal.inv_cdf(tail), normal.inv_cdf(1 - tail)):
        shrink = 1 - acceleration * (bias + nominal)
        if shrink <= 0:
            return interval(values, level=level)
        ends.append(_quantile(ordered, normal.cdf(bias + (bias + nominal) / shrink)))
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
        raise UsageError(f"a confidence level is between 0 and 1, not {level:g}")
    return (1 - level) / 2


def _quantile(ordered: Floats, share: float) -> float:
    """Linear between order statistics; written out, since numpy's rounding has changed before."""
    place = share * (len(ordered) - 1)
    under = min(int(place), len(ordered) - 2)
    low, high = float(ordered[under]), float(ordered[under + 1])
    return min(high, low + (place - under) * (high - low))


def binomial_interval(count: int, total: int, *, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share (Clopper and Pearson, The Use of Confidence or Fiducial Limits
    Illustrated in the Case of the Binomial); 0 to 1 where nothing was counted."""
    tail, rest = tail_of(level), total - count
    low = beta_quantile(tail, count, rest + 1) if count else 0.0
    high = 1 - beta_quantile(tail, rest, count + 1) if rest else 1.0
    return low, high
