"""Many answers marked by one call, for metrics that offer it; the numbers are those of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from readmark.corpus.values import Unit
from readmark.marking.metrics import Metric

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


def vectors(metric: Metric, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
    """The vectors of many answers, at once where the metric offers it."""
    if isinstance(metric, MarksMany):
        return metric.statistics_of_many(cases)
    return [metric.statistics(*case) for case in cases]


def in_blocks(units: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """What comes, so many at a time."""
    each = iter(units)
    while block := list(islice(each, size)):
        yield block
