"""What measures of agreement are functions of: sums by cluster, and those of each resample.

A unit has a few labels of perhaps thousands, so that most sums are nought: only the others are
held. What is done for a draw grows with them, and not with clusters × labels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from readmark.measures.draws import picks
from readmark.measures.resampling import Aggregate, Floats

Clusters = Sequence[Hashable]
"""The record that each unit stands in: what is resampled."""
Entry = tuple[int, int, float]
"""A unit, a column, and what the unit adds to it."""

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
    def of_entries(cls, entries: Sequence[Entry], clusters: Clusters | None, width: int) -> Sums:
        """What units add up to; all are one cluster where no clusters are told."""
        units = np.array([unit for unit, _, _ in entries], dtype=np.intp)
        numbers, count = cluster_codes(clusters, int(units.max()) + 1)
        columns = np.array([column for _, column, _ in entries], dtype=np.intp)
        weights = np.array([weight for _, _, weight in entries], dtype=np.float64)
        cells, place = np.unique(numbers[units] * width + columns, return_inverse=True)
        weights = np.bincount(place, weights=weights, minlength=len(cells)).astype(np.float64)
        codes, columns = np.divmod(cells, width)
        if count * width > DENSE * len(cells):
            return cls(count, width, None, codes, columns, weights)
        matrix = np.zeros((count, width))
        matrix[codes, columns] = weights
        return cls.of_matrix(matrix)

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
        at = 0
        for block in picks(seed, draws, self.clusters, cells=self._block() * self.clusters):
            k = len(block)
            block += np.arange(k)[:, None] * self.clusters
            times = np.bincount(block.ravel(), minlength=k * self.clusters)
            values[at : at + k] = aggregate(self._drawn(times.reshape(k, self.clusters)))
            at += k
            watch(at)
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
    codes = [numbers.setdefault(one, len(numbers)) for one in clusters]
    return np.array(codes, dtype=np.intp), max(1, len(numbers))
