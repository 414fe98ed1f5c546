"""Vectors of all units in columns of numbers, so that a million units fit."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from readmark.core.arrays import Floats, Ints
from readmark.hooks import Metric
from readmark.marking.vectors import LeftOutVectors, UnitVector
from readmark.statistics.resampling import cluster_sums


@dataclass(slots=True)
class VectorColumn:
    """Somebody's vectors on all units; a unit that does not count has zeros."""

    width: int
    cells: array[float] = field(default_factory=lambda: array("d"))

    @classmethod
    def of(cls, rows: Floats) -> VectorColumn:
        """A column with the rows of a matrix."""
        return cls(rows.shape[1], array("d", rows.tobytes()))

    def add(self, vector: UnitVector | None) -> None:
        """The next unit's vector, or none."""
        self.cells.extend(vector if vector is not None else (0.0,) * self.width)

    def matrix(self) -> Floats:
        """Units by width."""
        return np.frombuffer(self.cells, dtype=np.float64).reshape(-1, self.width)

    def sum_rows(self, codes: Ints, clusters: int) -> None:
        """Keep a sum for each cluster in the place of the units' vectors."""
        self.cells = array("d", cluster_sums(self.matrix(), codes, clusters).tobytes())


@dataclass(slots=True)
class LeftOutColumns:
    """The candidate's and people's vectors against the leave-one-out reference sets."""

    machine: VectorColumn
    people: VectorColumn

    @classmethod
    def empty(cls, width: int) -> LeftOutColumns:
        """Two columns of no unit yet."""
        return cls(VectorColumn(width), VectorColumn(width))

    def add(self, vectors: LeftOutVectors | None) -> None:
        """The next unit's vectors; none where it has the answers of fewer than two people."""
        self.machine.add(vectors.machine if vectors is not None else None)
        self.people.add(vectors.people if vectors is not None else None)


@dataclass(slots=True)
class PersonColumns:
    """One person's vectors: those of the units that the person answered, and which they are."""

    units: array[int]
    vectors: dict[str, VectorColumn]

    @classmethod
    def empty(cls, metrics: Mapping[str, Metric]) -> PersonColumns:
        """A column for each metric."""
        columns = {name: VectorColumn(metric.facts.width) for name, metric in metrics.items()}
        return cls(array("q"), columns)

    def add(self, unit: int, vectors: Mapping[str, UnitVector]) -> None:
        """The vectors of a unit, by its place in the test."""
        self.units.append(unit)
        for name, column in self.vectors.items():
            column.add(vectors[name])


@dataclass(slots=True)
class UnitClasses:
    """The error classes of one unit's answers, as vectors: the candidate's and people's."""

    machine: UnitVector | None
    """The candidate's against the whole key; None where nobody sat."""
    left_out: LeftOutVectors | None = None
    """The candidate's and people's against the leave-one-out reference sets."""
    panel: Sequence[UnitVector | None] | None = None
    """Each panel member's; None where the member was not to sit the unit."""


@dataclass(slots=True)
class ClassColumns:
    """The error classes of all units."""

    machine: VectorColumn
    left_out: LeftOutColumns | None
    """Where leave-one-out was asked for."""
    panel: list[VectorColumn]

    @classmethod
    def empty(cls, width: int, *, leave_one_out: bool, members: int) -> ClassColumns:
        """With columns for leave-one-out, and for a panel of so many members."""
        left_out = LeftOutColumns.empty(width) if leave_one_out else None
        return cls(VectorColumn(width), left_out, [VectorColumn(width) for _ in range(members)])

    def add(self, classes: UnitClasses | None) -> None:
        """The classes of the next unit, or none."""
        classes = classes or UnitClasses(None)
        self.machine.add(classes.machine)
        if self.left_out is not None:
            self.left_out.add(classes.left_out)
        for index, column in enumerate(self.panel):
            column.add(classes.panel[index] if classes.panel is not None else None)
