"""Several vectors of a unit as one: over repeats, and over the reference sets of leave-one-out."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from readmark.corpus.values import Unit
from readmark.measures.grid import to_grid


def leave_one_out(
    unit: Unit,
    references: Sequence[Sequence[Any]],
    said: Sequence[Any],
    metric: Any,
) -> tuple[Sequence[float], Sequence[float]]:
    """The candidate's and people's mean vectors over the sets that lack one person each."""
    machine, people = [], []
    for left_out in range(len(references)):
        others = (*references[:left_out], *references[left_out + 1 :])
        machine += [metric.statistics(unit, others, one) for one in said]
        people.append(metric.statistics(unit, others, references[left_out][0]))
    return mean(machine), mean(people)


def averaged(metric: Any, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
    """A unit's repeats as one vector: their mean, unless the metric knows better."""
    if len(vectors) > 1 and hasattr(metric, "averaged"):
        return _on_grid(tuple(metric.averaged(vectors)))
    return mean(vectors)


def mean(vectors: Sequence[Sequence[float]]) -> Sequence[float]:
    """The mean of vectors, on the grid that makes sums exact."""
    if len(vectors) == 1:
        return _on_grid(tuple(vectors[0]))
    return _on_grid(tuple(sum(cells) / len(vectors) for cells in zip(*vectors, strict=True)))


@functools.lru_cache(maxsize=2**12)
def _on_grid(vector: tuple[float, ...]) -> tuple[float, ...]:
    # Kept, since a million units have few different vectors.
    return tuple(to_grid(cell) for cell in vector)
