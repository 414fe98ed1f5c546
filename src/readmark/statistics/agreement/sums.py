"""Sums by cluster, which measures of agreement are functions of, and those of each resample."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.draws import picks
from readmark.statistics.grid import to_grid
from readmark.statistics.resampling import Aggregate, cluster_sums

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
        row = np.bincount(self.columns, weights=self.weights, minlength=self.width)
        return row.astype(np.float64).reshape(1, self.width)

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
        """How many draws are made at a time."""
        cells = 0 if self.matrix is not None else len(self.weights)
        return max(1, BLOCK_CELLS // max(self.clusters, self.width, cells))

    def _drawn(self, times: NDArray[np.intp]) -> Floats:
        """The sums of draws: ``times`` says how often each draw has each cluster."""
        if self.matrix is not None:
            return np.asarray(times.astype(np.float64) @ self.matrix)
        k = len(times)
        cells = np.arange(k)[:, None] * self.width + self.columns
        weights = times[:, self.codes] * self.weights
        rows = np.bincount(cells.ravel(), weights=weights.ravel(), minlength=k * self.width)
        return rows.astype(np.float64).reshape(k, self.width)


def cluster_codes(clusters: Clusters | None, n: int) -> tuple[NDArray[np.intp], int]:
    """Each unit's cluster as a number, and how many there are; all are one without clusters."""
    if clusters is None:
        return np.zeros(n, dtype=np.intp), 1
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.array(codes, dtype=np.intp), max(1, len(numbers))


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
