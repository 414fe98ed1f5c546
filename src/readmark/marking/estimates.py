"""A score with its interval: from sums over clusters, or from the rows of all units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from readmark.core.arrays import Floats
from readmark.hooks import Metric
from readmark.marking.settings import MarkSettings
from readmark.statistics.grid import totals
from readmark.statistics.groups import UnitClusters
from readmark.statistics.interval_methods import BCA, JACKKNIFE
from readmark.statistics.intervals import Interval, bca_interval, interval
from readmark.statistics.jackknife import (
    correlation_interval,
    jackknife_values,
    leave_one_out,
    leave_one_out_rows,
    share_interval,
    t_interval,
)
from readmark.statistics.resampling import Aggregate, bootstrap_rows, resampled_sums

ScoreInterval = tuple[float | None, float | None, float | None]
"""A score with both ends of its interval, unscaled."""
UNDEFINED: ScoreInterval = (None, None, None)
"""Draws that miss what makes a score undefined say nothing of it, so it has no interval either."""


def drawn_together(sums: Mapping[str, Floats], settings: MarkSettings) -> dict[str, Floats]:
    """The resampled sums of several statistics over the same clusters, from one set of draws.

    None where the settings' intervals are made without draws.
    """
    if not sums or settings.interval == JACKKNIFE:
        return {}
    edges = np.cumsum([value.shape[1] for value in sums.values()])[:-1]
    together = resampled_sums(
        np.hstack(list(sums.values())), seed=settings.seed, draws=settings.draws
    )
    return dict(zip(sums, np.split(together, edges, axis=1), strict=True))


def from_draws(
    metric: Metric, sums: Floats, drawn: Floats, settings: MarkSettings
) -> ScoreInterval:
    """The estimate of a metric that is a function of sums, from its draws."""
    observed = float(metric.aggregate(totals(sums)))
    if not math.isfinite(observed):
        return UNDEFINED
    values = metric.aggregate(drawn)
    if settings.interval == BCA and len(sums) > 1:
        left_out = jackknife_values(sums, metric.aggregate)
        return observed, *bca_interval(values, observed, left_out, level=settings.confidence)
    return observed, *interval(values, level=settings.confidence)


def from_left_out(
    metric: Metric, sums: Floats, statistic: Aggregate, units: int, settings: MarkSettings
) -> ScoreInterval:
    """The estimate of a statistic of the sums of the clusters that count, by the jackknife."""
    observed = float(statistic(totals(sums)))
    if not math.isfinite(observed):
        return UNDEFINED
    left_out = leave_one_out(sums, statistic)
    return observed, *_jackknife_interval(metric, observed, left_out, units, settings)


def from_rows(
    metric: Any, rows: Floats, clusters: UnitClusters, settings: MarkSettings
) -> ScoreInterval:
    """The estimate of a metric that is no function of sums, such as a correlation of ranks."""
    observed = metric.score(rows)
    if not math.isfinite(observed):
        return UNDEFINED
    if settings.interval == JACKKNIFE:
        left_out = leave_one_out_rows(rows, clusters.codes, clusters.count, metric.score)
        return observed, *_jackknife_interval(metric, observed, left_out, len(rows), settings)
    values = bootstrap_rows(
        rows,
        clusters.codes,
        clusters.count,
        metric.score,
        seed=settings.seed,
        draws=settings.draws,
    )
    return observed, *interval(values, level=settings.confidence)


def _jackknife_interval(
    metric: Metric, observed: float, left_out: Floats, units: int, settings: MarkSettings
) -> Interval:
    """The interval that suits the range of the mark."""
    level = settings.confidence
    quantity = metric.facts.quantity
    if quantity == "share" and 0 <= observed <= 1:
        return share_interval(observed, left_out, units=units, level=level)
    if quantity == "correlation":
        return correlation_interval(observed, left_out, level=level)
    return t_interval(observed, left_out, level=level)
