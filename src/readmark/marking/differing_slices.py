"""The sorts of question that are marked most unlike the rest, of all that are looked at.

Every slice of every field is compared with the units outside it. Who looks at twenty slices finds
one that differs by chance, so the intervals hold together: each is as many standard errors wide as
the largest of all deviations reaches in 95% of the resamples (the studentised maximum; Westfall
and Young, Resampling-Based Multiple Testing).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from readmark.core.arrays import Floats, Ints
from readmark.core.labels import ABSENT, labels_of
from readmark.core.test import Test
from readmark.hooks import Metric
from readmark.marking.fields import UnitFields, looked_at_fields
from readmark.marking.metrics import is_additive
from readmark.marking.settings import MarkSettings
from readmark.statistics.grid import totals
from readmark.statistics.groups import UnitClusters, distinct, units_by_label
from readmark.statistics.resampling import cluster_sums, resampled_sums

_SHOWN = 2
"""Slices that a result names."""
LEAST_CLUSTERS = 10
"""Passages that a slice, and the rest, must have: intervals of fewer are too narrow."""
MOST_VALUES = 30
"""A field with more values names its units one by one, as titles do."""
MOST_UNITS = 20_000
"""Tests with more are looked at where somebody asks: fields are computed for every unit."""


@dataclass(frozen=True, slots=True)
class DifferingSlice:
    """A slice whose mark differs from that of all other units by more than chance explains."""

    field: str
    value: str
    units: int
    score: float
    rest: float
    """The mark of the units outside it."""
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DifferingSlices:
    """The slices that differ, the largest difference first, of how many that were looked at."""

    metric: str
    scale: float
    looked_at: int
    slices: tuple[DifferingSlice, ...]

    @property
    def largest(self) -> tuple[DifferingSlice, ...]:
        """Those that a result names."""
        return self.slices[:_SHOWN]

    def as_json(self) -> dict[str, Any]:
        """The member ``differing`` of the document."""
        return {
            "metric": self.metric,
            "scale": self.scale,
            "looked_at": self.looked_at,
            "slices": [asdict(part) for part in self.slices],
        }


def differing_slices(
    test: Test,
    ids: Sequence[str],
    groups: Ints,
    vectors: Floats,
    name: str,
    metric: Metric,
    settings: MarkSettings,
) -> DifferingSlices | None:
    """The slices of the usual fields, and of those asked for, that differ from the rest.

    ``groups`` and ``vectors`` have a row for each of the ``ids``. None where nothing can be said: a
    metric that is no function of sums, too few passages, or too many units to look at.
    """
    if not is_additive(metric) or not 0 < len(ids) <= MOST_UNITS or settings.draws < 2:
        return None
    clusters = UnitClusters.of(groups)
    if clusters.count < 2 * LEAST_CLUSTERS:
        return None
    parts = _parts(test, ids, clusters, settings)
    if not parts:
        return None
    width = vectors.shape[1]
    sums = [cluster_sums(vectors, clusters.codes, clusters.count)]
    sums += [
        cluster_sums(vectors[units], clusters.codes[units], clusters.count) for _, _, units in parts
    ]
    drawn = resampled_sums(np.hstack(sums), seed=settings.seed, draws=settings.draws)
    whole, whole_drawn = totals(sums[0]), drawn[:, :width]
    differing = []
    deviations = []
    for index, ((field, value, units), of_slice) in enumerate(zip(parts, sums[1:], strict=True), 1):
        inside = totals(of_slice)
        inside_drawn = drawn[:, index * width : (index + 1) * width]
        score, rest = (float(metric.aggregate(part)) for part in (inside, whole - inside))
        difference = score - rest
        with np.errstate(divide="ignore", invalid="ignore"):
            of_draws = metric.aggregate(inside_drawn) - metric.aggregate(whole_drawn - inside_drawn)
        error = _deviation(of_draws[np.isfinite(of_draws)].tolist())
        if not math.isfinite(difference) or not error:
            continue
        deviations.append(np.abs(of_draws - difference) / error)
        differing.append((field, value, len(units), score, rest, difference, error))
    if not differing:
        return None
    errors_wide = _reach(np.array(deviations), settings.confidence)
    scale = metric.facts.scale
    slices = [
        DifferingSlice(
            field,
            value,
            units,
            score * scale,
            rest * scale,
            difference * scale,
            (difference - errors_wide * error) * scale,
            (difference + errors_wide * error) * scale,
        )
        for field, value, units, score, rest, difference, error in differing
        if abs(difference) > errors_wide * error
    ]
    slices.sort(key=lambda part: (-abs(part.difference), part.field, part.value))
    return DifferingSlices(name, scale, len(differing), tuple(slices))


def _parts(
    test: Test, ids: Sequence[str], clusters: UnitClusters, settings: MarkSettings
) -> list[tuple[str, str, Ints]]:
    """Every slice that is large enough, and so is the rest: field, value and its units."""
    fields = UnitFields(test, looked_at_fields(test, settings.by))
    places = {id: place for place, id in enumerate(ids)}
    labels: dict[str, list[tuple[str, ...]]] = {
        name: [(ABSENT,)] * len(ids) for name in fields.names
    }
    for unit in test.units():
        if (place := places.get(unit.id)) is not None:
            for name in fields.names:
                labels[name][place] = labels_of(fields.value(unit, name))
    parts = []
    for name in fields.names:
        values = [(value, units) for value, units in units_by_label(labels[name])]
        if len(values) > MOST_VALUES:
            continue
        for value, units in values:
            inside = np.zeros(len(ids), dtype=np.bool_)
            inside[units] = True
            sizes = (len(distinct(clusters.codes[part])) for part in (inside, ~inside))
            if value != ABSENT and min(sizes) >= LEAST_CLUSTERS:
                parts.append((name, value, units))
    return parts


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation; fsum, so that it is the same on any machine."""
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _reach(deviations: Floats, level: float) -> float:
    """How many standard errors the largest deviation of a resample stays below so often."""
    largest = np.sort(np.nanmax(deviations, axis=0))
    return float(largest[min(math.ceil(level * len(largest)), len(largest)) - 1])
