"""Paired comparison of sittings: is B different from A on the same units?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats, Ints
from readmark.core.errors import DataError
from readmark.core.labels import ABSENT
from readmark.hooks import Kind, Metric, hook
from readmark.marking.marks import (
    Clusters,
    distinct,
    few_words,
    finite,
    interval_name,
    interval_words,
    no_interval_words,
    signature,
    units_by_label,
)
from readmark.marking.metrics import CORRELATION, SHARE, is_additive, lower_is_better, report_of
from readmark.marking.settings import JACKKNIFE, MarkSettings
from readmark.statistics.adjustment import holm
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

_WIDEST = {SHARE: 1.0, CORRELATION: 2.0}
"""How far apart two marks can lie at most, unscaled."""


@dataclass(frozen=True, slots=True)
class Paired:
    """One candidate's vectors of one metric, by unit id."""

    candidate: str
    ids: Sequence[str]
    groups: Ints
    vectors: Floats


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


def _members(comparison: Comparison) -> dict[str, Any]:
    return {member.name: getattr(comparison, member.name) for member in fields(comparison)}


def compare_pair(
    name: str, metric: Metric, a: Paired, b: Paired, kind: Kind, settings: MarkSettings
) -> Comparison:
    """Compare two candidates on the units that both were marked on, and have a value on."""
    a, b = aligned(a, b)
    clusters = Clusters.of(a.groups)
    failed = report_of(metric, a.vectors).failed + report_of(metric, b.vectors).failed
    counted = _counted(metric, a, b)
    a, b = _without(a, counted), _without(b, counted)
    if is_additive(metric):
        score_a, score_b, difference, p, differences = _by_sums(metric, a, b, clusters, settings)
    else:
        score_a, score_b, p, differences = _by_rows(metric, a, b, clusters, settings)
        difference = score_b - score_a
    if settings.interval == JACKKNIFE:
        low, high = _left_out_interval(metric, a, b, clusters, counted, difference, settings)
    else:
        low, high = interval(differences, level=settings.confidence)
    said = signature(
        name,
        metric,
        kind,
        settings,
        test="paired-randomisation",
        **({"difference": "distance from the gold"} if hook(metric, "paired", None) else {}),
        trials=settings.trials,
        **{**interval_words(settings, bca=False), "draws": settings.draws},
    )

    differ = (a.vectors != b.vectors).any(axis=1)

    own = len(distinct(clusters.codes[counted]))

    def shown(value: float | None) -> float | None:
        return None if value is None else value * metric.facts.scale

    return Comparison(
        metric=name,
        a=a.candidate,
        b=b.candidate,
        score_a=shown(finite(score_a)),
        score_b=shown(finite(score_b)),
        difference=shown(finite(difference)),
        low=shown(low),
        high=shown(high),
        p=finite(p),
        adjusted_p=None,
        units=int(counted.sum()),
        clusters=own,
        discordant=int(differ.sum()),
        detectable=shown(finite(detectable(differences))),
        signature=said,
        lower_is_better=lower_is_better(metric),
        left_out=len(a.ids) - int(counted.sum()),
        failed=failed,
        least_p=least_p(_swappable(metric, a, b, clusters, differ), settings.trials),
        interval_note=_interval_note(own, low, difference, kind.record_noun, settings),
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
        label: compare_pair(name, metric, _taken(a, units), _taken(b, units), kind, settings)
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


def _by_sums(
    metric: Metric, a: Paired, b: Paired, clusters: Clusters, settings: MarkSettings
) -> tuple[float, float, float, float, Floats]:
    sums_a = cluster_sums(a.vectors, clusters.codes, clusters.count)
    sums_b = cluster_sums(b.vectors, clusters.codes, clusters.count)
    # A metric may know what is left of it once two candidates are subtracted.
    paired = hook(metric, "paired", None) or metric.aggregate
    return (
        float(metric.aggregate(sums_a.sum(axis=0))),
        float(metric.aggregate(sums_b.sum(axis=0))),
        float(paired(sums_b.sum(axis=0)) - paired(sums_a.sum(axis=0))),
        paired_p(sums_a, sums_b, paired, seed=settings.seed, trials=settings.trials),
        paired_differences(sums_a, sums_b, paired, seed=settings.seed, draws=settings.draws),
    )


def _by_rows(
    metric: Metric, a: Paired, b: Paired, clusters: Clusters, settings: MarkSettings
) -> tuple[float, float, float, Floats]:
    score = metric.score  # type: ignore[attr-defined]
    paired = (a.vectors, b.vectors, clusters.codes, clusters.count, score)
    return (
        score(a.vectors),
        score(b.vectors),
        paired_p_rows(*paired, seed=settings.seed, trials=settings.trials),
        paired_differences_rows(*paired, seed=settings.seed, draws=settings.draws),
    )


def _left_out_interval(
    metric: Metric,
    a: Paired,
    b: Paired,
    clusters: Clusters,
    counted: NDArray[np.bool_],
    difference: float,
    settings: MarkSettings,
) -> Interval:
    """The jackknife's interval of the difference, over the clusters that count."""
    if is_additive(metric):
        own = distinct(clusters.codes[counted])
        sums_a, sums_b = (
            cluster_sums(paired.vectors, clusters.codes, clusters.count)[own] for paired in (a, b)
        )
        paired = hook(metric, "paired", None) or metric.aggregate
        left_out = paired_left_out(sums_a, sums_b, paired)
    else:
        score = metric.score  # type: ignore[attr-defined]
        left_out = paired_left_out_rows(a.vectors, b.vectors, clusters.codes, clusters.count, score)
    most = _WIDEST.get(metric.facts.quantity, math.inf)
    return t_interval(difference, left_out, level=settings.confidence, least=-most, most=most)


def _interval_note(
    clusters: int, low: float | None, difference: float, noun: str, settings: MarkSettings
) -> str | None:
    if settings.interval == JACKKNIFE and low is None and clusters > 1:
        if math.isfinite(difference):
            return f"no interval of the difference: {no_interval_words(noun)}"
        return None
    return few_words(clusters, noun, interval_name(settings, bca=False))


def _swappable(
    metric: Metric, a: Paired, b: Paired, clusters: Clusters, differ: NDArray[np.bool_]
) -> int:
    """How many clusters can be swapped with any effect."""
    if not is_additive(metric):
        return len(distinct(clusters.codes[differ]))
    gap = cluster_sums(a.vectors - b.vectors, clusters.codes, clusters.count)
    return int(gap.any(axis=1).sum())


def aligned(a: Paired, b: Paired) -> tuple[Paired, Paired]:
    """Both on the units they share, in A's order."""
    if list(a.ids) == list(b.ids):
        return a, b
    where = {id: index for index, id in enumerate(b.ids)}
    shared = [(index, where[id]) for index, id in enumerate(a.ids) if id in where]
    if not shared:
        raise DataError(f"{a.candidate} and {b.candidate} have no unit in common")
    in_a, in_b = (np.asarray(side) for side in zip(*shared, strict=True))
    return _taken(a, in_a), _taken(b, in_b)


def _counted(metric: Metric, a: Paired, b: Paired) -> NDArray[np.bool_]:
    """The units that count for both, by a metric that says that some do not count.

    Of any other metric a unit of zeros adds nothing to a sum, and what the other candidate did
    there still does.
    """
    if not is_additive(metric) or not metric.facts.uncounted:
        return np.ones(len(a.ids), dtype=np.bool_)
    value = hook(metric, "paired", None) or metric.aggregate
    return np.asarray(np.isfinite(value(a.vectors)) & np.isfinite(value(b.vectors)))


def _without(one: Paired, counted: NDArray[np.bool_]) -> Paired:
    """With nothing where it does not count: the clusters, and so the draws, stay as they are."""
    if counted.all():
        return one
    return replace(one, vectors=np.where(counted[:, None], one.vectors, 0.0))


def _taken(one: Paired, at: Ints) -> Paired:
    ids = [one.ids[i] for i in at]
    return replace(one, ids=ids, groups=one.groups[at], vectors=one.vectors[at])
