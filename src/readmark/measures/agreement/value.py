"""What a measure of agreement gives: a value, or the reason why there is none; its interval."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.measures.clusters import cluster_sums
from readmark.measures.grid import to_grid
from readmark.measures.resampling import Aggregate, Floats, bootstrap, interval

Label = Hashable
Clusters = Sequence[Hashable]
"""The record that each unit stands in: what is resampled."""

MOST_CELLS = 1 << 24
"""Sums held for resampling, 128 MiB of them; a table larger than that gets no interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made: a seeded bootstrap over clusters, percentile intervals."""

    seed: int = 1
    draws: int = 1000
    level: float = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A measure of agreement; ``value`` is None where it is undefined, and ``reason`` says why."""

    measure: str
    value: float | None
    n: int
    """Units that went in: labelled units, spans or mentions, as the measure counts."""
    observed: float | None = None
    """Disagreement as observed, of measures that are 1 − observed / expected."""
    expected: float | None = None
    """Disagreement as expected by chance."""
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    undefined_draws: int = 0
    """Draws of the bootstrap in which the measure was undefined; the interval is of the others."""


def only_label(label: Label) -> str:
    """Why nothing can be said beyond chance."""
    said = f"{label:g}" if isinstance(label, float) else repr(label)
    return f"every label is {said}, so chance would agree as well"


def undefined(measure: str, reason: str, *, n: int = 0) -> Agreement:
    """A measure that has no value here."""
    return Agreement(measure=measure, value=None, n=n, reason=reason)


@np.errstate(divide="ignore", invalid="ignore")
def figure(
    measure: str,
    sums: Floats,
    aggregate: Aggregate,
    *,
    n: int,
    reason: str,
    parts: tuple[float, float] | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """A measure from its clusters' sums; ``reason`` is told where the aggregate is undefined."""
    value = float(aggregate(sums.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return undefined(measure, reason, n=n)
    low = high = None
    lost = 0
    if resampling is not None and resampling.draws > 0:
        values = bootstrap(sums, aggregate, seed=resampling.seed, draws=resampling.draws)
        low, high = interval(values, level=resampling.level)
        if len(sums) > 1:  # a single cluster is not resampled at all
            lost = int(np.count_nonzero(~np.isfinite(values)))
    observed, expected = parts if parts is not None else (None, None)
    return Agreement(
        measure=measure,
        value=value,
        n=n,
        observed=observed,
        expected=expected,
        low=low,
        high=high,
        undefined_draws=lost,
    )


def table(
    cells: Sequence[tuple[int, float]], clusters: Clusters | None, width: int
) -> tuple[Floats, bool]:
    """Sums (clusters, width) of a cell and weight a unit; whether they may be resampled.

    One row when there are no clusters, or when they would take too much memory.
    """
    columns = np.array([column for column, _ in cells], dtype=np.intp)
    weights = to_grid(np.array([weight for _, weight in cells], dtype=np.float64))
    codes, count = cluster_codes(clusters, len(cells))
    resampled = count * width <= MOST_CELLS
    if not resampled:
        codes, count = np.zeros(len(cells), dtype=np.intp), 1
    flat = np.bincount(codes * width + columns, weights=weights, minlength=count * width)
    return flat.astype(np.float64).reshape(count, width), resampled


def cluster_codes(clusters: Clusters | None, n: int) -> tuple[NDArray[np.intp], int]:
    """Each unit's cluster as a number, and how many there are; all are one without clusters."""
    if clusters is None:
        return np.zeros(n, dtype=np.intp), 1
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(one, len(numbers)) for one in clusters]
    return np.array(codes, dtype=np.intp), max(1, len(numbers))


def vector_sums(
    vectors: Sequence[Sequence[float]], width: int, clusters: Clusters | None = None
) -> Floats:
    """Vectors on the grid, added up by cluster; each is a cluster of its own unless told."""
    if not len(vectors):
        return np.zeros((1, width))
    rows = to_grid(np.array(vectors, dtype=np.float64).reshape(len(vectors), width))
    if clusters is None:
        return rows
    codes, count = cluster_codes(clusters, len(vectors))
    return cluster_sums(rows, codes, count)


def in_domain_order(labels: Sequence[Label], order: Sequence[Label] | None) -> list[Label]:
    """The labels that occur, in the order given, or by size; mixed ones as they come."""
    found = dict.fromkeys(labels)
    if order is not None:
        unknown = [label for label in found if label not in order]
        if unknown:
            raise ValueError(f"the order does not have {unknown[0]!r}")
        return [label for label in order if label in found]
    try:
        return sorted(found)  # type: ignore[type-var]
    except TypeError:
        return list(found)
