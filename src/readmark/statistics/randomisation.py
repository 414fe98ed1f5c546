"""Paired comparison of two sittings, A and B, of the same units, by whole clusters.

Approximate randomisation (Noreen, Computer-Intensive Methods for Testing Hypotheses): were A and
B alike, swapping their marks on any cluster would change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.jackknife import (
    beta_cdf,
    beta_quantile,
    leave_one_out,
    leave_one_out_rows,
)
from readmark.statistics.resampling import (
    Aggregate,
    Score,
    bootstrap,
    bootstrap_rows,
    flips,
    tail_of,
)

# p-values adjusted for several comparisons.


def holm(p_values: Sequence[float]) -> list[float]:
    """Step-down adjusted p-values (Holm, A Simple Sequentially Rejective Multiple Test Procedure).

    An undefined p (NaN) stays NaN and is no comparison: it does not weigh on the others.
    """
    defined = [index for index, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(defined, key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (len(defined) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


# The chi-square distribution, for tests of counts.


def chi_square_survival(value: float, freedom: int) -> float:
    """The chance of so large a chi-square or a larger one, by the sums for whole degrees.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    if freedom < 1 or value <= 0:
        return 1.0
    half = value / 2
    if freedom % 2:
        term = math.sqrt(half) * math.exp(-half) * 2 / math.sqrt(math.pi)
        total, step = math.erfc(math.sqrt(half)), 1.5
    else:
        term, total, step = math.exp(-half), 0.0, 1.0
    for _ in range(freedom // 2):
        total += term
        term *= half / step
        step += 1
    return min(1.0, total)


# Counts of yes and no: exact intervals of a share, and exact tails.


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


# The normal deviates of 5% two-sided and of 80% power, 1.96 + 0.84.
DETECTABLE = 2.80

# Equal differences may come out of the division a few units in the last place apart.
_TOLERANCE = 1e-12


@np.errstate(divide="ignore", invalid="ignore")
def paired_p(
    sums_a: Floats, sums_b: Floats, aggregate: Aggregate, *, seed: int, trials: int
) -> float:
    """The two-sided p, (count of trials at least as far apart + 1) / (trials + 1).

    Identical sittings give exactly 1. A trial where the statistic is undefined counts as at
    least as far; NaN when it is undefined for A or B as they stand.
    """
    _check_paired(sums_a, sums_b)
    gap = np.asarray(sums_a - sums_b, dtype=np.float64)
    total_a, total_b = sums_a.sum(axis=0), sums_b.sum(axis=0)
    least = _least(float(aggregate(total_a)), float(aggregate(total_b)))
    if math.isnan(least):
        return math.nan
    count = 0
    for block in flips(seed, trials, len(gap)):
        moved = block.astype(np.float64) @ gap
        apart = np.abs(aggregate(total_b + moved) - aggregate(total_a - moved))
        count += len(block) - int(np.count_nonzero(apart < least))
    return (count + 1) / (trials + 1)


@np.errstate(divide="ignore", invalid="ignore")
def paired_p_rows(
    rows_a: Floats,
    rows_b: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: Score,
    *,
    seed: int,
    trials: int,
) -> float:
    """The same trials for a score that is no function of sums: whole clusters' rows swapped."""
    _check_paired(rows_a, rows_b)
    least = _least(score(rows_a), score(rows_b))
    if math.isnan(least):
        return math.nan
    count = 0
    for block in flips(seed, trials, n_clusters):
        for flipped in block:
            swapped = flipped.astype(np.bool_)[codes][:, None]
            trial_a = score(np.where(swapped, rows_b, rows_a))
            trial_b = score(np.where(swapped, rows_a, rows_b))
            count += not abs(trial_b - trial_a) < least
    return (count + 1) / (trials + 1)


def paired_differences(
    sums_a: Floats, sums_b: Floats, aggregate: Aggregate, *, seed: int, draws: int
) -> Floats:
    """B - A on bootstrap draws of clusters, the same draws for both."""
    _check_paired(sums_a, sums_b)
    difference = _difference(aggregate, sums_a.shape[1])
    return bootstrap(np.hstack([sums_a, sums_b]), difference, seed=seed, draws=draws)


def paired_left_out(sums_a: Floats, sums_b: Floats, aggregate: Aggregate) -> Floats:
    """B - A without each cluster in turn."""
    _check_paired(sums_a, sums_b)
    difference = _difference(aggregate, sums_a.shape[1])
    return leave_one_out(np.hstack([sums_a, sums_b]), difference)


def _difference(aggregate: Aggregate, width: int) -> Aggregate:
    """B - A of sums that stand side by side."""

    def difference(sums: Floats) -> Floats:
        return aggregate(sums[..., width:]) - aggregate(sums[..., :width])

    return difference


def paired_differences_rows(
    rows_a: Floats,
    rows_b: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: Score,
    *,
    seed: int,
    draws: int,
) -> Floats:
    """The same for a score that is no function of sums."""
    _check_paired(rows_a, rows_b)
    difference = _difference_rows(score, rows_a.shape[1])
    both = np.hstack([rows_a, rows_b])
    return bootstrap_rows(both, codes, n_clusters, difference, seed=seed, draws=draws)


def paired_left_out_rows(
    rows_a: Floats, rows_b: Floats, codes: NDArray[np.intp], n_clusters: int, score: Score
) -> Floats:
    """The same for a score that is no function of sums."""
    _check_paired(rows_a, rows_b)
    difference = _difference_rows(score, rows_a.shape[1])
    return leave_one_out_rows(np.hstack([rows_a, rows_b]), codes, n_clusters, difference)


def _difference_rows(score: Score, width: int) -> Score:
    def difference(rows: Floats) -> float:
        return score(rows[:, width:]) - score(rows[:, :width])

    return difference


def least_p(clusters: int, trials: int | None = None) -> float:
    """The least two-sided p that swapping whole clusters can give, however large the difference.

    ``clusters`` are those that the two differ on: swapping the others changes nothing.
    """
    ways = min(1.0, 2.0 ** (1 - clusters))
    return ways if trials is None else max(ways, 1 / (trials + 1))


def detectable(differences: Floats) -> float:
    """The smallest difference found in four of five tests: 2.80 paired standard errors.

    ``differences`` are bootstrap draws of B - A; NaN with fewer than two defined ones.
    """
    from statistics import stdev

    defined = differences[np.isfinite(differences)].tolist()
    return DETECTABLE * stdev(defined) if len(defined) > 1 else math.nan


def _least(a: float, b: float) -> float:
    """The least distance that counts as the observed one; NaN when that is undefined."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.nan
    return abs(b - a) - _TOLERANCE * max(1.0, abs(a), abs(b))


def _check_paired(a: Floats, b: Floats) -> None:
    # Broadcasting would take one cluster for all of them without a word.
    if a.shape != b.shape:
        raise ValueError(f"paired statistics differ in shape: {a.shape} and {b.shape}")
