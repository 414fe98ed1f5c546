"""What a measure of agreement gives: a value, or the reason why there is none; its interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.statistics.draws import MOST_DRAWS, picks
from readmark.statistics.grid import to_grid
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import Aggregate, cluster_sums

# What measures of agreement are functions of: sums by cluster, and those of each resample.


Clusters = Sequence[Hashable]
"""The record that each unit belongs to: what is resampled."""

DENSE = 64
"""Cells of the whole table for each that is held, up to which a matrix product is faster."""
BLOCK_CELLS = 1 << 20
"""Sums of draws that are made at a time."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums (clusters, width): a matrix, or where that is mostly nought its other cells."""

    clusters: int
    width: int
    matrix: Floats | None = None
    codes: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    columns: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    weights: Floats = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of_matrix(cls, matrix: Floats) -> Sums:
        """Sums that are at hand."""
        return cls(len(matrix), matrix.shape[1], matrix)

    @classmethod
    def of_cells(
        cls,
        units: NDArray[np.intp],
        columns: NDArray[np.intp],
        weights: Floats,
        clusters: Clusters | None,
        width: int,
    ) -> Sums:
        """The sums of units from arrays: entry i adds weights[i] to a column for a unit."""
        numbers, count = cluster_codes(clusters, int(units.max()) + 1)
        cells, size = numbers[units] * width + columns, count * width
        if size <= DENSE * len(cells) and size <= DENSE * np.count_nonzero(np.bincount(cells)):
            sums = np.bincount(cells, weights=weights, minlength=size).astype(np.float64)
            return cls.of_matrix(sums.reshape(count, width))
        cells, place = np.unique(cells, return_inverse=True)
        weights = np.bincount(place, weights=weights, minlength=len(cells)).astype(np.float64)
        return cls(count, width, None, *np.divmod(cells, width), weights)

    def total(self) -> Floats:
        """The sums of everything, as a single row."""
        if self.matrix is not None:
            return np.asarray(self.matrix.sum(axis=0, keepdims=True))
        found = np.bincount(self.columns, weights=self.weights, minlength=self.width)
        return found.astype(np.float64).reshape(1, self.width)

    def bootstrap(
        self, aggregate: Aggregate, *, seed: int, draws: int, watch: Callable[[int], None]
    ) -> Floats:
        """The measure on each resample, NaN where undefined; all of them with a single cluster.

        ``watch`` is told how many draws are done.
        """
        values = np.full(draws, np.nan)
        if self.clusters < 2:
            return values
        index = 0
        for block in picks(seed, draws, self.clusters, cells=self._block() * self.clusters):
            k = len(block)
            block += np.arange(k)[:, None] * self.clusters
            times = np.bincount(block.ravel(), minlength=k * self.clusters)
            values[index : index + k] = aggregate(self._drawn(times.reshape(k, self.clusters)))
            index += k
            watch(index)
        return values

    def _block(self) -> int:
        held = 0 if self.matrix is not None else len(self.weights)
        return max(1, BLOCK_CELLS // max(self.clusters, self.width, held))

    def _drawn(self, times: NDArray[np.intp]) -> Floats:
        if self.matrix is not None:
            return np.asarray(times.astype(np.float64) @ self.matrix)
        k = len(times)
        cells = np.arange(k)[:, None] * self.width + self.columns
        weights = times[:, self.codes] * self.weights
        found = np.bincount(cells.ravel(), weights=weights.ravel(), minlength=k * self.width)
        return found.astype(np.float64).reshape(k, self.width)


def cluster_codes(clusters: Clusters | None, n: int) -> tuple[NDArray[np.intp], int]:
    """Each unit's cluster as a number, and how many there are; all are one without clusters."""
    if clusters is None:
        return np.zeros(n, dtype=np.intp), 1
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.array(codes, dtype=np.intp), max(1, len(numbers))


Label = Hashable
WatchDraws = Callable[[str, int], None]
"""Told the measure that is resampled, and how many draws of it are done."""
RatioParts = Callable[[Floats], tuple[Floats, Floats]]
"""Maps sums to disagreement as observed and as expected by chance."""

ONE_CLUSTER = "there is one passage, which cannot be resampled"
FEW_DRAWS = "fewer than two draws have a value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made: a seeded bootstrap over clusters, percentile intervals."""

    seed: int = 1
    draws: int = 1000
    level: float = 0.95
    watch: WatchDraws | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.draws <= MOST_DRAWS:
            raise UsageError(f"draws must be from 0 to {MOST_DRAWS:,}, found {self.draws:,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A measure of agreement; ``value`` is None where it is undefined, and ``reason`` says why."""

    measure: str
    value: float | None
    n: int
    """Units that went in: labelled units, spans or mentions, as the measure counts."""
    observed: float | None = None
    """Disagreement as observed, of measures that are 1 − observed / expected."""
    expected: float | None = None
    """Disagreement as expected by chance."""
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    no_interval: str | None = None
    """Why a value has no interval though one was asked for."""
    undefined_draws: int = 0
    """Draws of the bootstrap in which the measure was undefined; the interval is of the others."""


def only_label(label: Label) -> str:
    """Why nothing can be said beyond chance."""
    text = f"{label:g}" if isinstance(label, float) else repr(label)
    return f"every label is {text}, so chance would agree as well"


def undefined(measure: str, reason: str, *, n: int = 0) -> Agreement:
    """A measure that has no value here."""
    return Agreement(measure=measure, value=None, n=n, reason=reason)


@np.errstate(divide="ignore", invalid="ignore")
def figure(
    measure: str,
    sums: Sums | Floats,
    aggregate: Aggregate,
    *,
    n: int,
    reason: str,
    resampling: Resampling | None = None,
) -> Agreement:
    """A measure from its clusters' sums; ``reason`` is given where the aggregate is undefined."""
    if not isinstance(sums, Sums):
        sums = Sums.of_matrix(sums)
    value = float(aggregate(sums.total())[0])
    if not np.isfinite(value):
        return undefined(measure, reason, n=n)
    low = high = why = None
    lost = 0
    if resampling is not None and resampling.draws > 0:
        watch = partial(resampling.watch, measure) if resampling.watch else _unwatched
        values = sums.bootstrap(
            aggregate, seed=resampling.seed, draws=resampling.draws, watch=watch
        )
        low, high = interval(values, level=resampling.level)
        if sums.clusters > 1:  # a single cluster is not resampled at all
            lost = int(np.count_nonzero(~np.isfinite(values)))
        if low is None:
            why = ONE_CLUSTER if sums.clusters < 2 else FEW_DRAWS
    return Agreement(
        measure=measure,
        value=value,
        n=n,
        low=low,
        high=high,
        no_interval=why,
        undefined_draws=lost,
    )


def beyond_chance(
    measure: str,
    sums: Sums | Floats,
    parts: RatioParts,
    *,
    n: int,
    reason: str = "chance cannot disagree",
    resampling: Resampling | None = None,
) -> Agreement:
    """A measure that is 1 − observed / expected disagreement."""

    def aggregate(sums: Floats) -> Floats:
        observed, expected = parts(sums)
        return np.asarray(1 - observed / expected)

    if not isinstance(sums, Sums):
        sums = Sums.of_matrix(sums)
    made = figure(measure, sums, aggregate, n=n, reason=reason, resampling=resampling)
    if made.value is None:
        return made
    observed, expected = parts(sums.total())
    return replace(made, observed=float(observed[0]), expected=float(expected[0]))


def _unwatched(_: int) -> None:
    pass


def vector_sums(
    vectors: Sequence[Sequence[float]], width: int, clusters: Clusters | None = None
) -> Floats:
    """Vectors on the grid, added up by cluster; each is its own cluster by default."""
    if not len(vectors):
        return np.zeros((1, width))
    rows = to_grid(np.array(vectors, dtype=np.float64).reshape(len(vectors), width))
    if clusters is None:
        return rows
    codes, count = cluster_codes(clusters, len(vectors))
    return cluster_sums(rows, codes, count)


LabelCells = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]
"""Units, their labels' places in the domain, and how often each label was given to its unit."""


def label_cells(
    rows: Sequence[Sequence[Label]], domain: Sequence[Label]
) -> tuple[LabelCells, NDArray[np.intp]]:
    """How often each label was given to each unit, in the order of units, and labels per unit."""
    place = {label: index for index, label in enumerate(domain)}
    per_unit = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
    labels = np.fromiter(
        (place[label] for row in rows for label in row), dtype=np.intp, count=int(per_unit.sum())
    )
    units = np.repeat(np.arange(len(rows)), per_unit)
    cells = units * len(domain) + labels
    if len(rows) * len(domain) <= DENSE * len(labels):  # counting beats sorting
        counts = np.bincount(cells)
        cells = np.flatnonzero(counts)
        times = counts[cells]
    else:
        cells, times = np.unique(cells, return_counts=True)
    unit, label = np.divmod(cells, len(domain))
    return (unit, label, times), per_unit


def in_domain_order(labels: Sequence[Label], order: Sequence[Label] | None) -> list[Label]:
    """The labels that occur, in the order given, or by size; mixed ones as they come."""
    found = dict.fromkeys(labels)
    if order is not None:
        unknown = [label for label in found if label not in order]
        if unknown:
            raise ValueError(f"the order does not have {unknown[0]!r}")
        return [label for label in order if label in found]
    try:
        return sorted(found)  # type: ignore[type-var]
    except TypeError:
        return list(found)
