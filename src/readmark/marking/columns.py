"""Vectors of all units in columns of numbers, so that a million units fit."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from readmark.marking.metrics import Floats

Vector = Sequence[float]


@dataclass(slots=True)
class Column:
    """One candidate's vectors on all units; a unit that does not count has zeros."""

    width: int
    cells: array[float] = field(default_factory=lambda: array("d"))

    def add(self, vector: Vector | None) -> None:
        """The next unit's vector, or none."""
        self.cells.extend(vector if vector is not None else (0.0,) * self.width)

    def matrix(self) -> Floats:
        """Units by width."""
        return np.frombuffer(self.cells, dtype=np.float64).reshape(-1, self.width)


@dataclass(slots=True)
class Classed:
    """The error classes of one unit's answers, as vectors: the candidate's and people's."""

    own: Vector | None
    """The candidate's against the whole key; None where nobody sat."""
    alone: tuple[Vector, Vector] | None = None
    """The candidate's and people's against the leave-one-out reference sets."""
    panel: Sequence[Vector | None] | None = None
    """Each panel member's; None where the member was not to sit the unit."""


@dataclass(slots=True)
class ClassColumns:
    """The error classes of all units."""

    own: Column
    alone: tuple[Column, ...]
    """The candidate's and people's, where leave-one-out was asked for."""
    panel: list[Column]

    @classmethod
    def empty(cls, width: int, *, alone: bool, members: int) -> ClassColumns:
        """With columns for leave-one-out, and for a panel of so many members."""
        pair = (Column(width), Column(width)) if alone else ()
        return cls(Column(width), pair, [Column(width) for _ in range(members)])

    def add(self, classed: Classed | None) -> None:
        """Take one unit in."""
        one = classed or Classed(None)
        self.own.add(one.own)
        for at, column in enumerate(self.alone):
            column.add(one.alone[at] if one.alone is not None else None)
        for at, column in enumerate(self.panel):
            column.add(one.panel[at] if one.panel is not None else None)
