"""Many answers marked by one call, for metrics that offer it; the numbers are those of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.values import LARGEST, Unit
from readmark.marking.averaging import averaged

BLOCK = 256
"""How many units are marked together: enough to share the cost of a call, few enough to hold."""

T = TypeVar("T")


class Case(NamedTuple):
    """What a metric's ``statistics`` takes."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    answer: Any | None
    people: Sequence[Any] = ()


@runtime_checkable
class MarksMany(Protocol):
    """A metric that gives the vectors of many answers at once: each as ``statistics`` gives it."""

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """A vector a case, in their order."""


class CheckedMetric:
    """A metric whose vectors are checked: a plug-in's mistake is one line with its name."""

    def __init__(self, name: str, metric: Any) -> None:
        self._name = name
        self._metric = metric
        if not isinstance(metric.width, int) or metric.width < 1:
            raise ReadmarkError(f"metric {name}: its width is {metric.width!r}, expected 1 or more")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._metric, name)

    def statistics(self, unit: Unit, *rest: Any) -> Sequence[float]:
        """A unit's vector."""
        return self._checked(self._metric.statistics(unit, *rest), unit.id)

    def of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """The vectors of many answers, at once where the metric offers it."""
        if isinstance(self._metric, MarksMany):
            found = self._metric.statistics_of_many(cases)
            if len(found) != len(cases):
                raise ReadmarkError(
                    f"metric {self._name} gave {len(found)} vectors for {len(cases)} answers"
                )
        else:
            found = [self._metric.statistics(*case) for case in cases]
        return [self._checked(one, case.unit.id) for one, case in zip(found, cases, strict=True)]

    def mean_of(self, vectors: Sequence[Sequence[float]], id: str) -> Sequence[float]:
        """A unit's repeats as one vector: their mean, unless the metric knows better."""
        return self._checked(averaged(self._metric, vectors), id)

    def _checked(self, vector: Sequence[float], id: str) -> Sequence[float]:
        try:
            sound = len(vector) == self._metric.width and all(
                -LARGEST <= cell <= LARGEST for cell in vector
            )
        except TypeError:  # no numbers, or nothing at all
            sound = False
        if not sound:
            what = f"{self._metric.width} numbers, none of them infinite or undefined"
            raise ReadmarkError(
                f"metric {self._name} gave {vector!r:.60} for unit {id}, expected {what}"
            )
        return vector


def in_blocks(units: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """What comes, so many at a time."""
    each = iter(units)
    while block := list(islice(each, size)):
        yield block
