"""Marks: a score with its interval, overall and by slice, from a tally's vectors."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.kinds import Kind
from readmark.corpus.labels import in_order
from readmark.marking.metrics import Floats, Metric
from readmark.marking.settings import Settings, interval_words, signature
from readmark.marking.tally import Tally
from readmark.measures.clusters import cluster_sums
from readmark.measures.resampling import (
    bca_interval,
    bootstrap_rows,
    interval,
    jackknife,
    resampled_sums,
)

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mark:
    """A score in the metric's scale with its interval; None where there is none."""

    score: float | None
    low: float | None
    high: float | None
    scale: float
    signature: str


@dataclass(frozen=True, slots=True)
class Slice:
    """The marks of the units that share a value of a field."""

    units: int
    marks: Mapping[str, Mark]
    counted: Mapping[str, int] = field(default_factory=dict)
    """How many of the units each metric counts that does not count them all."""


By = Mapping[str, Mapping[str, Slice]]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of the chosen units, renumbered from 0."""

    codes: Codes
    count: int

    @classmethod
    def of(cls, groups: Codes) -> Clusters:
        """Number the groups in the order of their codes."""
        distinct, codes = np.unique(groups, return_inverse=True)
        return cls(codes.reshape(-1), len(distinct))


def make_marks(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Floats],
    groups: Codes,
    kind: Kind,
    settings: Settings,
) -> dict[str, Mark]:
    """Every metric's mark of some units; all are drawn together, so they share the draws."""
    clusters = Clusters.of(groups)
    additive = [name for name, metric in metrics.items() if metric.additive]
    sums = {name: cluster_sums(vectors[name], clusters.codes, clusters.count) for name in additive}
    drawn = drawn_together(sums, settings)
    marks = {}
    for name, metric in metrics.items():
        if metric.additive:
            found = _from_sums(metric, sums[name], drawn[name], settings)
        else:
            found = _from_rows(metric, vectors[name], clusters, settings)
        score, low, high = (None if one is None else one * metric.scale for one in found)
        words = interval_words(settings, bca=metric.additive)
        said = signature(name, metric, kind, settings, **words)
        marks[name] = Mark(score, low, high, metric.scale, said)
    return marks


Estimate = tuple[float | None, float | None, float | None]


def drawn_together(sums: Mapping[str, Floats], settings: Settings) -> dict[str, Floats]:
    """The resampled sums of several statistics over the same clusters, from one set of draws."""
    if not sums:
        return {}
    edges = np.cumsum([one.shape[1] for one in sums.values()])[:-1]
    together = resampled_sums(
        np.hstack(list(sums.values())), seed=settings.seed, draws=settings.draws
    )
    return dict(zip(sums, np.split(together, edges, axis=1), strict=True))


def _from_sums(metric: Metric, sums: Floats, drawn: Floats, settings: Settings) -> Estimate:
    observed = float(metric.aggregate(sums.sum(axis=0)))
    if not math.isfinite(observed):  # draws that miss what makes it undefined say nothing of it
        return None, None, None
    values = metric.aggregate(drawn)
    if settings.interval == "bca" and len(sums) > 1:
        left_out = jackknife(sums, metric.aggregate)
        return observed, *bca_interval(values, observed, left_out, level=settings.confidence)
    return observed, *interval(values, level=settings.confidence)


def _from_rows(metric: Any, rows: Floats, clusters: Clusters, settings: Settings) -> Estimate:
    observed = metric.score(rows)
    if not math.isfinite(observed):
        return None, None, None
    values = bootstrap_rows(
        rows,
        clusters.codes,
        clusters.count,
        metric.score,
        seed=settings.seed,
        draws=settings.draws,
    )
    return observed, *interval(values, level=settings.confidence)


def slices(
    tally: Tally, kind: Kind, settings: Settings, vectors: Mapping[str, Floats] | None = None
) -> By:
    """Every field asked for: its values in order, each with its units and marks.

    A slice is marked as a test of its units alone would be.
    """
    matrices = vectors or {name: column.matrix() for name, column in tally.vectors.items()}
    groups = tally.groups
    found: dict[str, dict[str, Slice]] = {}
    for asked, labels in tally.fields.items():
        found[asked] = {}
        for label, members in units_by_label(labels):
            chosen = {name: matrix[members] for name, matrix in matrices.items()}
            marks = make_marks(tally.metrics, chosen, groups[members], kind, settings)
            found[asked][label] = Slice(len(members), marks, counted_units(tally.metrics, chosen))
    return found


def counted_units(metrics: Mapping[str, Metric], *vectors: Mapping[str, Floats]) -> dict[str, int]:
    """How many units each metric counts that does not count them all.

    With several vectors a unit, as of several people, one that is counted is enough.
    """
    found = {}
    for name, metric in metrics.items():
        if metric.additive and hasattr(metric, "uncounted") and name in vectors[0]:
            each = [np.isfinite(metric.aggregate(one[name])) for one in vectors]
            counts = np.logical_or.reduce(each)
            if not counts.all():
                found[name] = int(counts.sum())
    return found


def units_by_label(labels: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, Codes]]:
    """The values of a field in order (numbers by size), each with the units that have it."""
    members: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
    for at, several in enumerate(labels):
        for label in several:
            members[label].append(at)
    for label in sorted(members, key=in_order):
        yield label, np.frombuffer(members[label], dtype=np.int64)


def finite(value: float) -> float | None:
    """None for what is undefined."""
    return value if math.isfinite(value) else None
