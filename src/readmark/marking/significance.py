"""Paired comparison of sittings: is B different from A on the same units?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np

from readmark.core import numbers
from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.errors import DataError
from readmark.core.labels import ABSENT
from readmark.core.numbers import finite
from readmark.hooks import Kind, Metric, hook
from readmark.marking.metrics import is_additive, lower_is_better, report_of
from readmark.marking.settings import MarkSettings
from readmark.statistics.adjustment import holm
from readmark.statistics.groups import UnitClusters, distinct, units_by_label
from readmark.statistics.interval_methods import JACKKNIFE, few_words, no_interval_words
from readmark.statistics.intervals import Interval, interval
from readmark.statistics.jackknife import t_interval
from readmark.statistics.randomisation import (
    detectable,
    least_p,
    paired_differences,
    paired_differences_rows,
    paired_left_out,
    paired_left_out_rows,
    paired_p,
    paired_p_rows,
)
from readmark.statistics.resampling import cluster_sums

_WIDEST = {"share": 1.0, "correlation": 2.0}
"""How far apart two marks can lie at most, unscaled, by the metric's quantity."""


@dataclass(frozen=True, slots=True)
class Paired:
    """One candidate's vectors of one metric, by unit id."""

    candidate: str
    ids: Sequence[str]
    groups: Ints
    vectors: Floats

    def taken(self, units: Ints) -> Paired:
        """Some units alone, in this order."""
        ids = [self.ids[unit] for unit in units]
        return replace(self, ids=ids, groups=self.groups[units], vectors=self.vectors[units])

    def without(self, counts: Bools) -> Paired:
        """Zeros where a unit does not count: the clusters, and so the draws, stay as they are."""
        if counts.all():
            return self
        return replace(self, vectors=np.where(counts[:, None], self.vectors, 0.0))


@dataclass(frozen=True, slots=True)
class Comparison:
    """B − A in the metric's scale, its interval, and how surprising it would be by chance."""

    metric: str
    a: str
    b: str
    score_a: float | None
    score_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted_p: float | None
    """Holm-adjusted when several candidates were compared; None when one was."""
    units: int
    clusters: int
    discordant: int
    detectable: float | None
    signature: str
    lower_is_better: bool = False
    """Whether the metric counts what is wrong, so that less of it is better."""
    left_out: int = 0
    """Units that one of the two has no value on, which count for neither."""
    failed: int = 0
    """Answers that a metric which asks over a network got no reply on, of both."""
    least_p: float = 0.0
    """The least p that any difference could have: swapping equal clusters changes nothing."""
    interval_note: str | None = None
    """What a reader should know of the interval, such as that it is made of few clusters."""
    scale: float = 100.0
    """The metric's: what its best mark is."""
    by: Mapping[str, Mapping[str, Comparison]] = field(default_factory=dict)
    """The same comparison on the units that share a value of a field."""

    def as_json(self) -> dict[str, Any]:
        """Every number, and the slices without what they share with the whole."""
        shared = ("metric", "a", "b", "lower_is_better", "scale", "by")
        return {
            **_members(self),
            "by": {
                name: {
                    label: {key: cell for key, cell in _members(part).items() if key not in shared}
                    for label, part in values.items()
                }
                for name, values in self.by.items()
            },
        }

    @property
    def decisive_p(self) -> float | None:
        """The p that a decision goes by: the adjusted one when there is one."""
        return self.p if self.adjusted_p is None else self.adjusted_p

    @property
    def gain(self) -> float | None:
        """How much better B is than A: the difference, turned round where less is better."""
        if self.difference is None or not self.lower_is_better:
            return self.difference
        return -self.difference

    def better(self, alpha: float) -> bool:
        """Whether B is significantly better than A."""
        return self.significant(alpha) and (self.gain or 0.0) > 0

    def worse(self, alpha: float) -> bool:
        """Whether B is significantly worse than A."""
        return self.significant(alpha) and (self.gain or 0.0) < 0

    def significant(self, alpha: float) -> bool:
        """Whether there is a difference, and chance is no good explanation of it."""
        p = self.decisive_p
        return self.difference is not None and p is not None and p < alpha

    def verdict(self, alpha: float) -> str:
        """The comparison in words."""
        p = self.decisive_p
        if p is None or self.difference is None:
            return "the difference is undefined"
        if self.significant(alpha) and self.gain:
            side = "better" if self.better(alpha) else "worse"
            return f"{side} than {self.a} (p {numbers.p_words(p)})"
        return f"no significant difference from {self.a} (p {numbers.p_words(p)})"


def _members(comparison: Comparison) -> dict[str, Any]:
    return {member.name: getattr(comparison, member.name) for member in fields(comparison)}


def compare_pair(
    name: str, metric: Metric, a: Paired, b: Paired, kind: Kind, settings: MarkSettings
) -> Comparison:
    """Compare two candidates on the units that both were marked on, and have a value on."""
    settings = settings.without_bca()
    a, b = aligned(a, b)
    failed = report_of(metric, a.vectors).failed + report_of(metric, b.vectors).failed
    counts = _counts(metric, a, b)
    a, b = a.without(counts), b.without(counts)
    differ = (a.vectors != b.vectors).any(axis=1)
    clusters = UnitClusters.of(a.groups)
    counted_clusters = distinct(clusters.codes[counts])

    if is_additive(metric):
        trial = _trial_by_sums(metric, a, b, clusters, settings)
        gap = cluster_sums(a.vectors - b.vectors, clusters.codes, clusters.count)
        swappable = int(gap.any(axis=1).sum())
    else:
        trial = _trial_by_rows(metric, a, b, clusters, settings)
        swappable = len(distinct(clusters.codes[differ]))
    if settings.interval == JACKKNIFE:
        low, high = _jackknife_interval(
            metric, a, b, clusters, counted_clusters, trial.difference, settings
        )
    else:
        low, high = interval(trial.differences, level=settings.confidence)

    def scaled(value: float | None) -> float | None:
        return None if value is None else value * metric.facts.scale

    return Comparison(
        metric=name,
        a=a.candidate,
        b=b.candidate,
        score_a=scaled(finite(trial.score_a)),
        score_b=scaled(finite(trial.score_b)),
        difference=scaled(finite(trial.difference)),
        low=scaled(low),
        high=scaled(high),
        p=finite(trial.p),
        adjusted_p=None,
        units=int(counts.sum()),
        clusters=len(counted_clusters),
        discordant=int(differ.sum()),
        detectable=scaled(finite(detectable(trial.differences))),
        signature=settings.signature(
            name,
            metric,
            kind.record_noun,
            test="paired-randomisation",
            **({"difference": "distance from the gold"} if hook(metric, "paired") else {}),
            trials=settings.trials,
            **settings.interval_rules() | {"draws": settings.draws},
        ),
        lower_is_better=lower_is_better(metric),
        left_out=len(a.ids) - int(counts.sum()),
        failed=failed,
        least_p=least_p(swappable, settings.trials),
        interval_note=_interval_note(
            len(counted_clusters), low, trial.difference, kind.record_noun, settings
        ),
        scale=metric.facts.scale,
    )


def compare_slices(
    name: str,
    metric: Metric,
    a: Paired,
    b: Paired,
    labels: Mapping[str, tuple[str, ...]],
    kind: Kind,
    settings: MarkSettings,
) -> dict[str, Comparison]:
    """Compare two candidates on each slice of a field, as on a test of its units alone."""
    a, b = aligned(a, b)
    parts = units_by_label([labels.get(id, (ABSENT,)) for id in a.ids])
    return {
        label: compare_pair(name, metric, a.taken(units), b.taken(units), kind, settings)
        for label, units in parts
    }


def adjusted(comparisons: Sequence[Comparison], *, over: str = "") -> list[Comparison]:
    """Several comparisons with Holm's adjustment; a single one as it is.

    ``over`` names the family in the signature, where it is not the candidates alone.
    """
    if len(comparisons) < 2:
        return list(comparisons)
    values = holm(
        [math.nan if comparison.p is None else comparison.p for comparison in comparisons]
    )
    return [
        replace(
            comparison,
            adjusted_p=finite(p),
            signature=f"{comparison.signature}|adjusted:holm{over}",
        )
        for comparison, p in zip(comparisons, values, strict=True)
    ]


def aligned(a: Paired, b: Paired) -> tuple[Paired, Paired]:
    """Both on the units they share, in A's order."""
    if list(a.ids) == list(b.ids):
        return a, b
    places = {id: index for index, id in enumerate(b.ids)}
    shared = [(index, places[id]) for index, id in enumerate(a.ids) if id in places]
    if not shared:
        raise DataError(f"{a.candidate} and {b.candidate} have no unit in common")
    in_a, in_b = (np.asarray(side) for side in zip(*shared, strict=True))
    return a.taken(in_a), b.taken(in_b)


class _Trial(NamedTuple):
    """What the paired test found, unscaled: both scores, and what swapping clusters gives."""

    score_a: float
    score_b: float
    difference: float
    p: float
    differences: Floats
    """The difference in each draw of the bootstrap."""


def _trial_by_sums(
    metric: Metric, a: Paired, b: Paired, clusters: UnitClusters, settings: MarkSettings
) -> _Trial:
    sums_a = cluster_sums(a.vectors, clusters.codes, clusters.count)
    sums_b = cluster_sums(b.vectors, clusters.codes, clusters.count)
    value = _compared_value(metric)
    return _Trial(
        float(metric.aggregate(sums_a.sum(axis=0))),
        float(metric.aggregate(sums_b.sum(axis=0))),
        float(value(sums_b.sum(axis=0)) - value(sums_a.sum(axis=0))),
        paired_p(sums_a, sums_b, value, seed=settings.seed, trials=settings.trials),
        paired_differences(sums_a, sums_b, value, seed=settings.seed, draws=settings.draws),
    )


def _trial_by_rows(
    metric: Any, a: Paired, b: Paired, clusters: UnitClusters, settings: MarkSettings
) -> _Trial:
    rows = (a.vectors, b.vectors, clusters.codes, clusters.count, metric.score)
    score_a, score_b = metric.score(a.vectors), metric.score(b.vectors)
    return _Trial(
        score_a,
        score_b,
        score_b - score_a,
        paired_p_rows(*rows, seed=settings.seed, trials=settings.trials),
        paired_differences_rows(*rows, seed=settings.seed, draws=settings.draws),
    )


def _compared_value(metric: Metric) -> Any:
    """What two candidates are compared by: the mark, unless the metric knows what is left of it
    once two candidates are subtracted."""
    return hook(metric, "paired") or metric.aggregate


def _counts(metric: Metric, a: Paired, b: Paired) -> Bools:
    """The units that count for both, by a metric that says that some do not count.

    Of any other metric a unit of zeros adds nothing to a sum, and what the other candidate did
    there still does.
    """
    if not is_additive(metric) or not metric.facts.uncounted:
        return np.ones(len(a.ids), dtype=np.bool_)
    value = _compared_value(metric)
    return np.asarray(np.isfinite(value(a.vectors)) & np.isfinite(value(b.vectors)))


def _jackknife_interval(
    metric: Any,
    a: Paired,
    b: Paired,
    clusters: UnitClusters,
    counted_clusters: Ints,
    difference: float,
    settings: MarkSettings,
) -> Interval:
    """The jackknife's interval of the difference, over the clusters that count."""
    if is_additive(metric):
        sums_a, sums_b = (
            cluster_sums(side.vectors, clusters.codes, clusters.count)[counted_clusters]
            for side in (a, b)
        )
        left_out = paired_left_out(sums_a, sums_b, _compared_value(metric))
    else:
        left_out = paired_left_out_rows(
            a.vectors, b.vectors, clusters.codes, clusters.count, metric.score
        )
    most = _WIDEST.get(metric.facts.quantity, math.inf)
    return t_interval(difference, left_out, level=settings.confidence, least=-most, most=most)


def _interval_note(
    clusters: int, low: float | None, difference: float, noun: str, settings: MarkSettings
) -> str | None:
    if settings.interval == JACKKNIFE and low is None and clusters > 1:
        if math.isfinite(difference):
            return f"no interval of the difference: {no_interval_words(noun)}"
        return None
    return few_words(clusters, noun, settings.interval)
