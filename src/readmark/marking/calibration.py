"""How far the scores of a sitting can be taken for probabilities: its calibration error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from readmark.core.records import Count, Number
from readmark.hooks import Metric, hook
from readmark.marking.marks import Clusters, Settings
from readmark.marking.metrics import Floats
from readmark.stats.calibration import BINS, calibration_error, calibration_gaps
from readmark.stats.resampling import cluster_sums, interval, resampled_sums

LEAST = 2
"""Answers that a calibration error needs."""
NO_SCORES = "no scores"
NO_METRIC = "no metric from 0 to 1"
NO_PROBABILITIES = "they are not all between 0 and 1"


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error against one metric, with its interval."""

    scored: Count
    """Units with a score and a mark."""
    error: Number
    low: Number | None
    high: Number | None

    def words(self) -> str:
        """The error and its interval."""
        ends = "" if self.low is None else f" ({self.low:.3f} to {self.high:.3f})"
        return f"{self.error:.3f}{ends}"


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """How far a sitting's scores are from its marks, by metric, or why that is unknown."""

    units: Count
    scored: Count
    bins: Count
    errors: Mapping[str, CalibrationError]
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)

    def words(self) -> str:
        """One line for a terminal."""
        if self.reason is not None:
            return f"calibration error of the scores: none ({self.reason})"
        errors = ", ".join(f"{name} {one.words()}" for name, one in self.errors.items())
        scored = f"{self.scored:,} of {self.units:,} units scored, {self.bins} bins"
        return f"calibration error of the scores: {errors}; {scored}"


def calibration(
    scores: Floats,
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Floats],
    groups: Any,
    settings: Settings,
) -> ScoreCalibration:
    """The calibration errors of the units' scores, NaN where there is none; passages are drawn."""
    scored = np.isfinite(scores)
    counts = len(scores), int(scored.sum()), BINS
    if counts[1] < LEAST:
        return ScoreCalibration(*counts, {}, NO_SCORES)
    if not _is_share(scores[scored]):
        return ScoreCalibration(*counts, {}, NO_PROBABILITIES)
    errors: dict[str, CalibrationError] = {}
    for name, metric in metrics.items():
        if (hook(metric, "worst", 0.0), hook(metric, "best", 1.0)) != (0.0, 1.0):
            continue
        if metric.additive:
            marks = np.asarray(metric.aggregate(vectors[name]), dtype=np.float64)
            found = _calibration_error(scores, marks, np.asarray(groups), settings)
            errors |= {name: found} if found is not None else {}
    return ScoreCalibration(*counts, errors, None if errors else NO_METRIC)


def _calibration_error(
    scores: Floats, marks: Floats, groups: Any, settings: Settings
) -> CalibrationError | None:
    chosen = np.flatnonzero(np.isfinite(scores) & np.isfinite(marks))
    if len(chosen) < LEAST or not _is_share(marks[chosen]):
        return None
    clusters = Clusters.of(groups[chosen])
    gaps = calibration_gaps(scores[chosen], marks[chosen])
    sums = cluster_sums(gaps, clusters.codes, clusters.count)
    drawn = resampled_sums(sums, seed=settings.seed, draws=settings.draws)
    low, high = interval(calibration_error(drawn), level=settings.confidence)
    return CalibrationError(len(chosen), float(calibration_error(sums.sum(axis=0))), low, high)


def _is_share(values: Floats) -> bool:
    return bool(values.min() >= 0 and values.max() <= 1)
