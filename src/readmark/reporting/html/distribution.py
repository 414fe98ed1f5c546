"""How the marks of single units are spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.reporting.html.sections import Candidate

PARTS = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """How many units have a mark from ``low`` to ``high``; equal bounds are that very mark."""

    low: float
    high: float
    units: int


def distribution(candidate: Candidate, metric: str) -> list[Bar]:
    """Tenths of the way from worst to best, the two ends counted apart: most marks are there.

    Marks are in the metric's scale.
    """
    rules = candidate.metrics.get(metric)
    values = [value for value in candidate.values(metric) if value is not None]
    if rules is None or not values:
        return []
    low, high = sorted((rules.worst * rules.scale, rules.best * rules.scale))
    found = np.asarray(values) * rules.scale
    if found.min() < low or found.max() > high:
        counts, edges = np.histogram(found, bins=PARTS)
        return _bars(edges.tolist(), counts.tolist())
    at_low = int(np.count_nonzero(found == low))
    at_high = int(np.count_nonzero(found == high))
    inside = found[(found > low) & (found < high)]
    counts, edges = np.histogram(inside, bins=PARTS, range=(low, high))
    middle = _bars(edges.tolist(), counts.tolist())
    return [Bar(low, low, at_low), *middle, Bar(high, high, at_high)]


def _bars(edges: Sequence[float], counts: Sequence[int]) -> list[Bar]:
    return [
        Bar(low, high, int(units))
        for low, high, units in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
