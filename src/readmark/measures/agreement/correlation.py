"""Pearson's correlation of judges, two by two, over what both rated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from readmark.measures.agreement.value import Agreement, undefined

PAIRWISE, BETWEEN = "pearson(pairwise)", "pearson"
Column = Sequence[float | None]


def correlation(one: Column, other: Column) -> Agreement:
    """Pearson's correlation of two columns, where both have a number."""
    both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(both) < 2:
        return undefined(BETWEEN, "fewer than two passages have both", n=len(both))
    table = np.array(both, dtype=np.float64)
    away = table - table.mean(axis=0)
    spread = (away**2).sum(axis=0)
    if (np.ptp(table, axis=0) == 0).any():
        return undefined(BETWEEN, "one of them is constant", n=len(both))
    value = float((away[:, 0] * away[:, 1]).sum() / np.sqrt(spread.prod()))
    return Agreement(measure=BETWEEN, value=max(-1.0, min(1.0, value)), n=len(both))


def mean_pairwise(columns: Sequence[Column]) -> Agreement:
    """The mean correlation over pairs of judges; pairs that have none are left out."""
    found = [correlation(one, other) for one, other in combinations(columns, 2)]
    values = [one.value for one in found if one.value is not None]
    if not values:
        why = found[0].reason or "" if found else "two judges are needed"
        return undefined(PAIRWISE, why)
    mean = sum(values) / len(values)
    return Agreement(measure=PAIRWISE, value=mean, n=len(values))
