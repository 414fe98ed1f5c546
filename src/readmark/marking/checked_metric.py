"""A metric whose vectors are checked: a plug-in's mistake is one line with its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError
from readmark.core.records import LARGEST, Unit
from readmark.hooks import Case, hook
from readmark.marking.vectors import UnitVector, averaged, mean


class CheckedMetric:
    """A metric that gives vectors of its width, in finite numbers, or a ``ReadmarkError``."""

    def __init__(self, name: str, metric: Any) -> None:
        self._name = name
        self._metric = metric
        self._width = width = metric.facts.width
        if not isinstance(width, int) or width < 1:
            raise ReadmarkError(f"metric {name}: its width is {width!r}, expected 1 or more")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._metric, name)

    def statistics(self, unit: Unit, *rest: Any) -> UnitVector:
        """A unit's vector."""
        try:
            vector = self._metric.statistics(unit, *rest)
        except ReadmarkError:
            raise
        except Exception as error:
            raise ReadmarkError(
                f"metric {self._name} failed in statistics on unit {unit.id}: {error_line(error)}"
            ) from error
        return self._checked(vector, unit.id)

    def batch_statistics(self, cases: Sequence[Case]) -> Sequence[UnitVector]:
        """The vectors of many answers, at once where the metric offers it."""
        statistics_of_many = hook(self._metric, "statistics_of_many")
        if statistics_of_many is None:
            return [self.statistics(*case) for case in cases]
        vectors = statistics_of_many(cases)
        if len(vectors) != len(cases):
            raise ReadmarkError(
                f"metric {self._name} gave {len(vectors)} vectors for {len(cases)} answers"
            )
        return [
            self._checked(vector, case.unit.id) for vector, case in zip(vectors, cases, strict=True)
        ]

    def mean_of(self, vectors: Sequence[UnitVector], id: str) -> UnitVector:
        """A unit's repeats as one vector: their mean, unless the metric knows better."""
        if len(vectors) == 1:  # checked when it was made
            return mean(vectors)
        return self._checked(averaged(self._metric, vectors), id)

    def _checked(self, vector: UnitVector, id: str) -> UnitVector:
        try:
            is_sound = len(vector) == self._width
            for cell in vector:
                is_sound = is_sound and -LARGEST <= cell <= LARGEST
        except TypeError:  # no numbers, or nothing at all
            is_sound = False
        if not is_sound:
            raise ReadmarkError(
                f"metric {self._name} gave {vector!r:.60} for unit {id}, "
                f"expected {self._width} numbers, none of them infinite or undefined"
            )
        return vector
