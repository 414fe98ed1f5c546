"""Paired comparison of two sittings, A and B, of the same units, by whole clusters.

Approximate randomisation (Noreen, Computer-Intensive Methods for Testing Hypotheses): were A and
B alike, swapping their marks on any cluster would change nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.draws import flips
from readmark.statistics.jackknife import leave_one_out, leave_one_out_rows
from readmark.statistics.resampling import Aggregate, ScoreOfRows, bootstrap, bootstrap_rows

DETECTABLE = 2.80
"""The normal deviates of 5% two-sided and of 80% power: 1.96 + 0.84."""
_TOLERANCE = 1e-12
"""Equal differences may come out of the division a few units in the last place apart."""


@np.errstate(divide="ignore", invalid="ignore")
def paired_p(
    sums_a: Floats, sums_b: Floats, aggregate: Aggregate, *, seed: int, trials: int
) -> float:
    """The two-sided p, (count of trials at least as far apart + 1) / (trials + 1).

    Identical sittings give exactly 1. A trial where the statistic is undefined counts as at
    least as far; NaN when it is undefined for A or B as they stand.
    """
    _require_paired(sums_a, sums_b)
    gap = np.asarray(sums_a - sums_b, dtype=np.float64)
    total_a, total_b = sums_a.sum(axis=0), sums_b.sum(axis=0)
    observed = _observed_distance(float(aggregate(total_a)), float(aggregate(total_b)))
    if math.isnan(observed):
        return math.nan
    count = 0
    for block in flips(seed, trials, len(gap)):
        moved = block.astype(np.float64) @ gap
        distance = np.abs(aggregate(total_b + moved) - aggregate(total_a - moved))
        count += len(block) - int(np.count_nonzero(distance < observed))
    return (count + 1) / (trials + 1)


@np.errstate(divide="ignore", invalid="ignore")
def paired_p_rows(
    rows_a: Floats,
    rows_b: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: ScoreOfRows,
    *,
    seed: int,
    trials: int,
) -> float:
    """p from the same trials for a score that is no function of sums: clusters' rows swapped."""
    _require_paired(rows_a, rows_b)
    observed = _observed_distance(score(rows_a), score(rows_b))
    if math.isnan(observed):
        return math.nan
    count = 0
    for block in flips(seed, trials, n_clusters):
        for flipped in block:
            is_swapped = flipped.astype(np.bool_)[codes][:, None]
            trial_a = score(np.where(is_swapped, rows_b, rows_a))
            trial_b = score(np.where(is_swapped, rows_a, rows_b))
            count += not abs(trial_b - trial_a) < observed
    return (count + 1) / (trials + 1)


def paired_differences(
    sums_a: Floats, sums_b: Floats, aggregate: Aggregate, *, seed: int, draws: int
) -> Floats:
    """B - A on bootstrap draws of clusters, the same draws for both."""
    _require_paired(sums_a, sums_b)
    difference = _difference(aggregate, sums_a.shape[1])
    return bootstrap(np.hstack([sums_a, sums_b]), difference, seed=seed, draws=draws)


def paired_left_out(sums_a: Floats, sums_b: Floats, aggregate: Aggregate) -> Floats:
    """B - A without each cluster in turn."""
    _require_paired(sums_a, sums_b)
    difference = _difference(aggregate, sums_a.shape[1])
    return leave_one_out(np.hstack([sums_a, sums_b]), difference)


def _difference(aggregate: Aggregate, width: int) -> Aggregate:
    def difference(sums: Floats) -> Floats:
        return aggregate(sums[..., width:]) - aggregate(sums[..., :width])

    return difference


def paired_differences_rows(
    rows_a: Floats,
    rows_b: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: ScoreOfRows,
    *,
    seed: int,
    draws: int,
) -> Floats:
    """B - A on the same draws, for a score that is no function of sums."""
    _require_paired(rows_a, rows_b)
    difference = _difference_rows(score, rows_a.shape[1])
    rows = np.hstack([rows_a, rows_b])
    return bootstrap_rows(rows, codes, n_clusters, difference, seed=seed, draws=draws)


def paired_left_out_rows(
    rows_a: Floats, rows_b: Floats, codes: NDArray[np.intp], n_clusters: int, score: ScoreOfRows
) -> Floats:
    """B - A without each cluster in turn, for a score that is no function of sums."""
    _require_paired(rows_a, rows_b)
    difference = _difference_rows(score, rows_a.shape[1])
    return leave_one_out_rows(np.hstack([rows_a, rows_b]), codes, n_clusters, difference)


def _difference_rows(score: ScoreOfRows, width: int) -> ScoreOfRows:
    def difference(rows: Floats) -> float:
        return score(rows[:, width:]) - score(rows[:, :width])

    return difference


def least_p(clusters: int, trials: int | None = None) -> float:
    """The smallest two-sided p that swapping whole clusters can give, however large the difference.

    ``clusters`` are those that the two differ on: swapping the others changes nothing.
    """
    smallest = min(1.0, 2.0 ** (1 - clusters))
    return smallest if trials is None else max(smallest, 1 / (trials + 1))


def detectable(differences: Floats) -> float:
    """The smallest difference found in four of five tests: 2.80 paired standard errors.

    ``differences`` are bootstrap draws of B - A; NaN with fewer than two defined ones.
    """
    from statistics import stdev  # 8 ms, which most commands never need

    defined = differences[np.isfinite(differences)].tolist()
    return DETECTABLE * stdev(defined) if len(defined) > 1 else math.nan


def _observed_distance(a: float, b: float) -> float:
    """How far A and B are apart, less what roundings may take off; NaN when undefined."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.nan
    return abs(b - a) - _TOLERANCE * max(1.0, abs(a), abs(b))


def _require_paired(a: Floats, b: Floats) -> None:
    # Broadcasting would take one cluster for all of them without a word.
    if a.shape != b.shape:
        raise ValueError(f"paired statistics differ in shape: {a.shape} and {b.shape}")
