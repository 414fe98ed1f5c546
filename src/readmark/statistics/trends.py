"""Whether a value falls or rises over ordered levels: a slope, resampled by whole clusters.

The slope is that of least squares; of right and wrong answers it is the contrast of the trend test
of Cochran (Some Methods for Strengthening the Common Chi-Square Tests) and Armitage (Tests for
Linear Trends in Proportions and Frequencies). Units of a passage are not independent, so the
interval draws whole clusters, and p flips the signs of whole clusters' scores (Hemerik, Goeman and
Finos, Robust Testing in Generalized Linear Models by Sign Flipping Score Contributions).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.draws import flips
from readmark.statistics.grid import to_grid, totals
from readmark.statistics.intervals import interval
from readmark.statistics.jackknife import leave_one_out, t_interval
from readmark.statistics.resampling import bootstrap, cluster_sums

_TOLERANCE = 1e-12  # equal sums may come out a few units in the last place apart


@dataclass(frozen=True, slots=True)
class Trend:
    """How much a value changes from one level to the next; None where that is undefined."""

    slope: float | None
    low: float | None
    high: float | None
    p: float | None
    """Two-sided: how often a slope as steep comes about where levels do not matter."""
    units: int
    clusters: int

    def as_json(self) -> dict[str, Any]:
        """The trend as ``mark --json`` has it."""
        return asdict(self)

    def scaled(self, scale: float) -> Trend:
        """The same in another unit of the value."""
        slope, low, high = (
            None if value is None else value * scale for value in (self.slope, self.low, self.high)
        )
        return Trend(slope, low, high, self.p, self.units, self.clusters)


def trend(
    levels: Floats,
    values: Floats,
    codes: NDArray[np.int64],
    n_clusters: int,
    *,
    seed: int,
    draws: int,
    trials: int,
    confidence: float = 0.95,
    by_jackknife: bool = False,
) -> Trend:
    """The slope of ``values`` over ``levels``, with its interval and p; ``codes`` are clusters.

    Undefined for units of a single level.
    """
    values = to_grid(values)
    ones = np.ones_like(values)
    products = to_grid(levels * values)
    moments = np.column_stack([ones, levels, values, levels * levels, products])
    sums = cluster_sums(moments, codes, n_clusters)
    observed = float(slope(totals(sums)))
    if not math.isfinite(observed):
        return Trend(None, None, None, None, len(values), n_clusters)
    if by_jackknife:
        left_out = leave_one_out(sums, slope)
        low, high = t_interval(observed, left_out, level=confidence)
    elif n_clusters > 1:
        low, high = interval(bootstrap(sums, slope, seed=seed, draws=draws), level=confidence)
    else:
        low, high = None, None
    p = _flipped_p(levels, values, codes, n_clusters, seed=seed, trials=trials)
    return Trend(observed, low, high, p, len(values), n_clusters)


def slope(sums: Floats) -> Floats:
    """The least-squares slope, from sums of 1, x, y, x² and xy; NaN for a single x."""
    count, x, y, xx, xy = (sums[..., column] for column in range(5))
    spread = count * xx - x * x
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(spread > 0, (count * xy - x * y) / spread, np.nan))


def _flipped_p(
    levels: Floats,
    values: Floats,
    codes: NDArray[np.int64],
    n_clusters: int,
    *,
    seed: int,
    trials: int,
) -> float | None:
    """(trials with a score at least as far from 0 + 1) / (trials + 1); None for one cluster.

    Where levels do not matter, a cluster's part in the slope is as likely negative as positive.
    """
    if n_clusters < 2:
        return None
    scores = (levels - levels.mean()) * (values - values.mean())
    parts = cluster_sums(scores[:, None], codes, n_clusters)[:, 0]
    total = float(parts.sum())
    least = abs(total) - _TOLERANCE * max(1.0, float(np.abs(parts).sum()))
    count = 0
    for block in flips(seed, trials, n_clusters):
        turned = total - 2 * (block.astype(np.float64) @ parts)
        count += int(np.count_nonzero(np.abs(turned) >= least))
    return (count + 1) / (trials + 1)
