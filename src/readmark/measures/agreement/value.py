"""What a measure of agreement gives: a value, or the reason why there is none; its interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from readmark.corpus.errors import UsageError
from readmark.measures.agreement.sums import Clusters, Sums, cluster_codes
from readmark.measures.clusters import cluster_sums
from readmark.measures.draws import MOST_DRAWS
from readmark.measures.grid import to_grid
from readmark.measures.resampling import Aggregate, Floats, interval

Label = Hashable
Watch = Callable[[str, int], None]
"""Told the measure that is resampled, and how many draws of it are done."""
Parts = Callable[[Floats], tuple[Floats, Floats]]
"""Maps sums to disagreement as observed and as expected by chance."""

ONE_CLUSTER = "there is one passage, which cannot be resampled"
FEW_DRAWS = "fewer than two draws have a value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made: a seeded bootstrap over clusters, percentile intervals."""

    seed: int = 1
    draws: int = 1000
    level: float = 0.95
    watch: Watch | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.draws <= MOST_DRAWS:
            raise UsageError(f"draws must be from 0 to {MOST_DRAWS:,}, found {self.draws:,}")


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
    no_interval: str | None = None
    """Why a value has no interval though one was asked for."""
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
    sums: Sums | Floats,
    aggregate: Aggregate,
    *,
    n: int,
    reason: str,
    resampling: Resampling | None = None,
) -> Agreement:
    """A measure from its clusters' sums; ``reason`` is told where the aggregate is undefined."""
    if not isinstance(sums, Sums):
        sums = Sums.of_matrix(sums)
    value = float(aggregate(sums.total())[0])
    if not np.isfinite(value):
        return undefined(measure, reason, n=n)
    low = high = why = None
    lost = 0
    if resampling is not None and resampling.draws > 0:
        watch = partial(resampling.watch, measure) if resampling.watch else _unwatched
        values = sums.bootstrap(
            aggregate, seed=resampling.seed, draws=resampling.draws, watch=watch
        )
        low, high = interval(values, level=resampling.level)
        if sums.clusters > 1:  # a single cluster is not resampled at all
            lost = int(np.count_nonzero(~np.isfinite(values)))
        if low is None:
            why = ONE_CLUSTER if sums.clusters < 2 else FEW_DRAWS
    return Agreement(
        measure=measure,
        value=value,
        n=n,
        low=low,
        high=high,
        no_interval=why,
        undefined_draws=lost,
    )


def beyond_chance(
    measure: str,
    sums: Sums | Floats,
    parts: Parts,
    *,
    n: int,
    reason: str = "chance cannot disagree",
    resampling: Resampling | None = None,
) -> Agreement:
    """A measure that is 1 − observed / expected disagreement."""

    def aggregate(sums: Floats) -> Floats:
        observed, expected = parts(sums)
        return np.asarray(1 - observed / expected)

    if not isinstance(sums, Sums):
        sums = Sums.of_matrix(sums)
    made = figure(measure, sums, aggregate, n=n, reason=reason, resampling=resampling)
    if made.value is None:
        return made
    observed, expected = parts(sums.total())
    return replace(made, observed=float(observed[0]), expected=float(expected[0]))


def _unwatched(_: int) -> None:
    pass


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
