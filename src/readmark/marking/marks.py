"""Marks: a score with its interval, overall and by slice, from a tally's vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import msgspec
import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.records import LARGEST, BoundedCount, Number
from readmark.hooks import Kind, Metric
from readmark.marking.estimates import drawn_together, from_draws, from_left_out, from_rows
from readmark.marking.metrics import is_additive
from readmark.marking.settings import MarkSettings
from readmark.marking.signatures import metric_signatures
from readmark.marking.tally import Tally
from readmark.statistics.groups import UnitClusters, distinct, units_by_label
from readmark.statistics.interval_methods import JACKKNIFE
from readmark.statistics.resampling import cluster_sums


@dataclass(frozen=True, slots=True)
class Mark:
    """A score in the metric's scale with its interval; None where there is none."""

    score: Number | None = None
    low: Number | None = None
    high: Number | None = None
    scale: Annotated[float, msgspec.Meta(gt=0, le=LARGEST)] = 1.0
    signature: str = ""
    clusters: BoundedCount | None = None
    """How many passages, series or documents the units are of that it counts."""
    units: BoundedCount | None = None
    """How many units it counts, where that is not all of them."""

    def as_json(self) -> dict[str, Any]:
        """The member of ``marks`` that commands print; units stand under ``counted``."""
        document = asdict(self)
        del document["units"]
        return document

    def in_slice(self) -> dict[str, Any]:
        """The same as a member of a slice, which has neither scale nor signature of its own."""
        document = self.as_json()
        del document["scale"], document["signature"]
        return document if self.units is None else {**document, "units": self.units}


@dataclass(frozen=True, slots=True)
class Slice:
    """The marks of the units that share a value of a field."""

    units: int
    marks: Mapping[str, Mark]

    @property
    def counted(self) -> dict[str, int]:
        """How many of the units each metric counts that does not count them all."""
        return {name: mark.units for name, mark in self.marks.items() if mark.units is not None}

    def as_json(self) -> dict[str, Any]:
        """Units, then every metric's mark."""
        return {"units": self.units, **{name: mark.in_slice() for name, mark in self.marks.items()}}


By = Mapping[str, Mapping[str, Slice]]
"""Slices by field and value."""


def by_json(by: By) -> dict[str, Any]:
    """The member ``by`` of what commands print."""
    return {
        name: {label: part.as_json() for label, part in values.items()}
        for name, values in by.items()
    }


def slice_rows(marks: Mapping[str, Mark], by: By, units: int) -> list[dict[str, Any]]:
    """One row per metric and slice, for a data frame; those of the whole test have no field."""
    parts: list[tuple[str | None, str | None, Slice]] = [(None, None, Slice(units, marks))]
    parts += [(name, label, part) for name, values in by.items() for label, part in values.items()]
    return [
        {
            "field": name,
            "value": label,
            "units": part.units if mark.units is None else mark.units,
            "metric": metric,
            "score": mark.score,
            "low": mark.low,
            "high": mark.high,
        }
        for name, label, part in parts
        for metric, mark in part.marks.items()
    ]


def make_marks(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Floats],
    groups: Ints,
    kind: Kind,
    settings: MarkSettings,
) -> dict[str, Mark]:
    """Every metric's mark of some units; all are drawn together, so they share the draws."""
    clusters = UnitClusters.of(groups)
    sums = {
        name: cluster_sums(vectors[name], clusters.codes, clusters.count)
        for name, metric in metrics.items()
        if is_additive(metric)
    }
    drawn = drawn_together(sums, settings)
    signatures = metric_signatures(metrics, kind, settings)
    marks = {}
    for name, metric in metrics.items():
        counts = unit_counts(metric, vectors[name])
        counted_clusters = distinct(clusters.codes[counts])
        if not is_additive(metric):
            estimate = from_rows(metric, vectors[name], clusters, settings)
        elif settings.interval == JACKKNIFE:
            units = int(counts.sum())
            estimate = from_left_out(
                metric, sums[name][counted_clusters], metric.aggregate, units, settings
            )
        else:
            estimate = from_draws(metric, sums[name], drawn[name], settings)
        scale = metric.facts.scale
        score, low, high = (None if value is None else value * scale for value in estimate)
        marks[name] = Mark(
            score,
            low,
            high,
            scale,
            signatures[name],
            clusters=len(counted_clusters),
            units=None if counts.all() else int(counts.sum()),
        )
    return marks


def slices(
    tally: Tally, kind: Kind, settings: MarkSettings, vectors: Mapping[str, Floats] | None = None
) -> By:
    """Every field asked for: its values in order, each with its units and marks.

    A slice is marked as a test of its units alone would be.
    """
    vectors = vectors or tally.matrices()
    by: dict[str, dict[str, Slice]] = {}
    for name, labels in tally.fields.items():
        by[name] = {}
        for label, units in units_by_label(labels):
            chosen = {metric: matrix[units] for metric, matrix in vectors.items()}
            marks = make_marks(tally.metrics, chosen, tally.groups[units], kind, settings)
            by[name][label] = Slice(len(units), marks)
    return by


def unit_counts(metric: Metric, *vectors: Floats) -> Bools:
    """Which units a metric counts: all of them, unless it says that some do not count.

    With several vectors a unit, as of several people, one that is counted is enough.
    """
    if not is_additive(metric) or not metric.facts.uncounted:
        return np.ones(len(vectors[0]), dtype=np.bool_)
    is_defined = [np.isfinite(metric.aggregate(of_person)) for of_person in vectors]
    return np.asarray(np.logical_or.reduce(is_defined))
