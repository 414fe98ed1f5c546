"""People in a marksheet: the members of a panel, and those whose answers the key has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Bools, Floats
from readmark.core.marksheet import MarkedUnit, Vector
from readmark.core.numbers import finite
from readmark.hooks import Metric
from readmark.marking.metrics import is_additive, score_of_units, values_of_units


@dataclass(frozen=True, slots=True)
class SheetPerson:
    """A person of a panel, or one whose answers the key has, with the vectors of a marksheet."""

    name: str
    units: Sequence[MarkedUnit]
    metrics: Mapping[str, Metric]
    """The metrics of the marksheet that are installed here."""
    index: int | None
    """The person's place in the panel; an annotator of the key has none."""

    def values(self, metric: str) -> list[float | None]:
        """A metric on each unit alone, unscaled; None where it has none."""
        if metric not in self.metrics:
            return [None] * len(self.units)
        vectors, has_vector = self._vectors(metric)
        values = values_of_units(self.metrics[metric], vectors)
        return [value if sat else None for value, sat in zip(values, has_vector, strict=True)]

    def score(self, metric: str, units: Sequence[int] | None = None) -> float | None:
        """The mark on some units, or on all that the person answered."""
        if metric not in self.metrics:
            return None
        vectors, has_vector = self._vectors(metric)
        if units is not None:
            chosen = np.zeros(len(has_vector), dtype=np.bool_)
            chosen[np.asarray(units, dtype=np.intp)] = True
            has_vector &= chosen
        if not has_vector.any():
            return None
        rules = self.metrics[metric]
        score = score_of_units(rules, vectors[has_vector])
        return None if score is None else score * rules.facts.scale

    def _vectors(self, metric: str) -> tuple[Floats, Bools]:
        """The vectors on all units, zeros where there is none, and where there is one."""
        width = self.metrics[metric].facts.width
        vectors = [self._vector(unit, metric) for unit in self.units]
        rows = [vector if vector is not None else (0.0,) * width for vector in vectors]
        has_vector = np.array([vector is not None for vector in vectors], dtype=np.bool_)
        return np.array(rows, dtype=np.float64).reshape(-1, width), has_vector

    def _vector(self, unit: MarkedUnit, metric: str) -> Vector | None:
        """The person's on a unit; an annotator's is against the others' answers."""
        if self.index is not None:
            panel = unit.panel.get(metric, ())
            return panel[self.index] if self.index < len(panel) else None
        if metric not in unit.alone:
            return None
        return dict(zip(unit.annotators, unit.alone[metric].each, strict=False)).get(self.name)


def annotator_values(
    units: Sequence[MarkedUnit], name: str, metric: Metric | None
) -> list[list[float | None]]:
    """A metric on each unit alone, of every annotator's answer against the others'."""
    if metric is None or not is_additive(metric):
        return [[None] * len(unit.annotators) for unit in units]
    each = [unit.alone[name].each if name in unit.alone else () for unit in units]
    rows = [vector for vectors in each for vector in vectors]
    values = iter(metric.aggregate(np.array(rows, dtype=np.float64)).tolist() if rows else ())
    marks: list[list[float | None]] = []
    for unit, vectors in zip(units, each, strict=True):
        of_unit = [finite(next(values)) for _ in vectors]
        marks.append(of_unit or [None] * len(unit.annotators))
    return marks
