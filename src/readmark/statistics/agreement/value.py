"""What a measure of agreement gives: a value, or the reason why there is none; its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.statistics.agreement.sums import Sums
from readmark.statistics.draws import MOST_DRAWS
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import Aggregate

WatchDraws = Callable[[str, int], None]
"""Told the measure that is resampled, and how many draws of it are done."""
RatioParts = Callable[[Floats], tuple[Floats, Floats]]
"""Maps sums to disagreement as observed and as expected by chance."""

ONE_CLUSTER = "there is one passage, which cannot be resampled"
FEW_DRAWS = "fewer than two draws have a value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made: a seeded bootstrap over clusters, percentile intervals."""

    seed: int = 1
    draws: int = 1000
    level: float = 0.95
    watch: WatchDraws | None = field(default=None, compare=False)

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
    """A measure from its clusters' sums; ``reason`` is given where the aggregate is undefined."""
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
    parts: RatioParts,
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
    agreement = figure(measure, sums, aggregate, n=n, reason=reason, resampling=resampling)
    if agreement.value is None:
        return agreement
    observed, expected = parts(sums.total())
    return replace(agreement, observed=float(observed[0]), expected=float(expected[0]))


def _unwatched(_: int) -> None:
    pass
