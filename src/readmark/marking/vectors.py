"""A unit's vectors put together: over repeats, and over the reference sets of leave-one-out."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from readmark.core.records import Unit
from readmark.hooks import hook
from readmark.statistics.grid import to_grid

UnitVector = Sequence[float]


class LeftOutVectors(NamedTuple):
    """A unit's vectors against the sets that lack one person each: means, and each person's."""

    machine: UnitVector
    people: UnitVector
    each: Sequence[UnitVector]
    """A person's own against the others', in the order of the references."""


def unit_vector(
    metric: Any, unit: Unit, references: Sequence[Sequence[Any]], answers: Sequence[Any | None]
) -> UnitVector:
    """One vector for all answers to a unit, a repeat each; None is an unanswered repeat."""
    return averaged(metric, [metric.statistics(unit, references, answer) for answer in answers])


def leave_one_out(
    unit: Unit, references: Sequence[Sequence[Any]], answers: Sequence[Any], metric: Any
) -> LeftOutVectors:
    """The candidate's and people's vectors over the sets that lack one person each."""
    machine, people = [], []
    for left_out in range(len(references)):
        others = (*references[:left_out], *references[left_out + 1 :])
        machine += [metric.statistics(unit, others, answer) for answer in answers]
        people.append(metric.statistics(unit, others, references[left_out][0]))
    return LeftOutVectors(mean(machine), mean(people), [mean([vector]) for vector in people])


def averaged(metric: Any, vectors: Sequence[UnitVector]) -> UnitVector:
    """A unit's repeats as one vector: their mean, unless the metric knows better."""
    if len(vectors) > 1 and hook(metric, "averaged") is not None:
        return _on_grid(tuple(metric.averaged(vectors)))
    return mean(vectors)


def mean(vectors: Sequence[UnitVector]) -> UnitVector:
    """The mean of vectors, on the grid that makes sums exact."""
    if len(vectors) == 1:
        return _on_grid(tuple(vectors[0]))
    return _on_grid(tuple(sum(cells) / len(vectors) for cells in zip(*vectors, strict=True)))


@functools.lru_cache(maxsize=2**12)
def _on_grid(vector: tuple[float, ...]) -> tuple[float, ...]:
    # Cached, since a million units have few different vectors.
    return tuple(to_grid(cell) for cell in vector)
