"""The bootstrap over clusters, and intervals from it (Efron and Tibshirani, An Introduction to
the Bootstrap).

Clusters are drawn with replacement; a statistic is a function of the drawn clusters' sums, which
are exact on the grid, so the values are the same on any machine. The slow path takes rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError

# Units summed by cluster (passage, series, document): what resampling works on.


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


# Random draws that are the same on any machine and with any numpy.


# A block's doubles (2 MiB) stay in the second-level cache: larger blocks measured 2 to 4 times
# slower. A single draw over more clusters than this is a block of its own.
BLOCK_CELLS = 2**18

MOST_DRAWS = 1_000_000
"""More draws or trials would fill the memory and change no figure that is shown."""

_HALF = np.uint64(32)


def picks(
    seed: int, draws: int, n: int, *, cells: int = BLOCK_CELLS
) -> Iterator[NDArray[np.int64]]:
    """Blocks (k, n) of indices below n, a row a draw: one word an index, by multiply-shift.

    The bias is below n / 2**32 (Lemire, Fast Random Integer Generation in an Interval).
    """
    source = np.random.PCG64(seed)
    for k in _rows(draws, n, cells):
        words = source.random_raw(k * n)
        words >>= _HALF
        words *= np.uint64(n)
        words >>= _HALF
        yield words.view(np.int64).reshape(k, n)


def flips(
    seed: int, trials: int, n: int, *, cells: int = BLOCK_CELLS
) -> Iterator[NDArray[np.uint8]]:
    """Blocks (k, n) of random bits, a row a trial: whole words, lowest bit first."""
    source = np.random.PCG64(seed)
    width = -(-n // 64)
    for k in _rows(trials, n, cells):
        # Little-endian bytes on every machine, so that bit j of a word is always cell j.
        words = source.random_raw(k * width).astype("<u8", copy=False)
        octets = words.view(np.uint8).reshape(k, width * 8)
        yield np.unpackbits(octets, axis=1, count=n, bitorder="little")


def _rows(total: int, n: int, cells: int) -> Iterator[int]:
    most = max(1, cells // max(1, n))
    for index in range(0, total, most):
        yield min(most, total - index)


# The grid of statistics: multiples of 2**-30, so that sums are exact in any order.


GRID = 2.0**-30
REACH = 2.0**53 * GRID
"""From here on every double is a multiple of the grid as it is."""

_HALVING = 1.5 * 2.0**37
"""Added and taken away again, it leaves a multiple of 2**-15."""

Number = TypeVar("Number", float, NDArray[np.float64])


@overload
def to_grid(x: float) -> float: ...


@overload
def to_grid(x: NDArray[np.float64]) -> NDArray[np.float64]: ...


def to_grid(x: NDArray[np.float64] | float) -> NDArray[np.float64] | float:
    """Round to the nearest multiple of 2**-30, ties to even; NaN and infinity stay.

    A double holds 53 bits, so sums stay exact up to 2**53 * 2**-30 = 8,388,608: that many units
    of a statistic between -1 and 1, and a quarter as many of one between -4 and 4. What may be
    larger is summed in two ``exact_parts``.
    """
    if isinstance(x, np.ndarray):
        near = np.abs(x) < REACH
        return np.asarray(np.where(near, np.rint(np.where(near, x, 0.0) / GRID) * GRID, x))
    return round(x / GRID) * GRID if abs(x) < REACH else float(x)


def product(a: Number, b: Number) -> tuple[Number, Number]:
    """What two numbers on the grid, below 1,024, give exactly: on the grid, and the rest in GRIDs.

    Both parts lie on the grid, so that sums of products are exact too.
    """
    near = to_grid(a * b)
    a_high, b_high = (a + _HALVING) - _HALVING, (b + _HALVING) - _HALVING
    a_low, b_low = a - a_high, b - b_high
    rest = ((a_high * b_high - near) + (a_high * b_low + a_low * b_high)) + a_low * b_low
    return near, rest / GRID


def exact_parts(sums: Floats) -> list[Floats]:
    """Clusters' sums on the grid as parts that add up to them, each summed without error.

    Where as many clusters as there are may sum up to more than exact sums allow, these are the
    multiples of 2**-15 and the rest: exact up to 2**38 units of a statistic between -1 and 1.
    """
    if len(sums) * float(np.abs(sums).max(initial=0.0)) < REACH:
        return [sums]
    high = (sums + _HALVING) - _HALVING
    return [high, sums - high]


def totals(sums: Floats) -> Floats:
    """The sums of all clusters together, rounded once."""
    return np.asarray(sum(part.sum(axis=0) for part in exact_parts(sums)))


Aggregate = Callable[[Floats], Floats]
"""Maps sums (..., width) to values (...), NaN where undefined."""
Score = Callable[[Floats], float]
"""Maps the rows (units, width) to one value: a statistic that is no function of sums."""
Interval = tuple[float | None, float | None]


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
    index = 0
    for block in picks(seed, draws, n_clusters):
        for drawn in block:
            lengths = sizes[drawn]
            ends = np.cumsum(lengths)
            shifts = np.repeat(starts[drawn] - ends + lengths, lengths)
            values[index] = score(rows[np.arange(ends[-1]) + shifts])
            index += 1
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
