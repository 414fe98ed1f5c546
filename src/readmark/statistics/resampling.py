"""The bootstrap over clusters (Efron and Tibshirani, An Introduction to the Bootstrap).

Clusters are drawn with replacement; a statistic is a function of the drawn clusters' sums, which
are exact on the grid, so the values are the same on any machine. The slow path takes rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.draws import picks
from readmark.statistics.grid import exact_parts

Aggregate = Callable[[Floats], Floats]
"""Maps sums (..., width) to values (...), NaN where undefined."""
ScoreOfRows = Callable[[Floats], float]
"""Maps the rows (units, width) to one value: a statistic that is no function of sums."""


def cluster_sums(
    vectors: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int
) -> NDArray[np.float64]:
    """Sums (n_clusters, width) of the units' vectors; ``codes`` says each unit's cluster.

    Exact, and so in any order, when the vectors lie on the grid.
    """
    sums = np.empty((n_clusters, vectors.shape[1]))
    for column in range(vectors.shape[1]):
        sums[:, column] = np.bincount(codes, weights=vectors[:, column], minlength=n_clusters)
    return sums


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
    parts = exact_parts(np.asarray(sums, dtype=np.float64))
    index = 0
    for block in picks(seed, draws, n):
        k = len(block)
        block += np.arange(k)[:, None] * n
        times = np.bincount(block.ravel(), minlength=k * n).reshape(k, n)
        drawn = times.astype(np.float64)
        values[index : index + k] = sum(drawn @ part for part in parts)
        index += k
    return values


@np.errstate(divide="ignore", invalid="ignore")
def bootstrap_rows(
    rows: Floats,
    codes: NDArray[np.intp],
    n_clusters: int,
    score: ScoreOfRows,
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
    index = 0
    for block in picks(seed, draws, n_clusters):
        for drawn in block:
            lengths = sizes[drawn]
            ends = np.cumsum(lengths)
            shifts = np.repeat(starts[drawn] - ends + lengths, lengths)
            values[index] = score(rows[np.arange(ends[-1]) + shifts])
            index += 1
    return values
