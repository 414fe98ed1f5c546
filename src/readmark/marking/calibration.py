"""How far the scores of a sitting can be taken for probabilities: its calibration error."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from readmark.core.records import Count, Number
from readmark.core.sitting import Row
from readmark.hooks import Metric, hook
from readmark.marking.marks import Clusters, Settings
from readmark.marking.metrics import Floats
from readmark.marking.tally import UnitMarks
from readmark.stats.calibration import BINS, calibration_error, calibration_gaps
from readmark.stats.resampling import cluster_sums, interval, resampled_sums

LEAST = 2
"""Answers that a calibration error needs."""
NO_SCORES = "no scores"
NO_METRIC = "no metric from 0 to 1"
NO_PROBABILITIES = "scores are not all between 0 and 1"


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error with its interval, or why there is none."""

    metric: str | None
    """What the scores are compared with."""
    units: Count
    scored: Count
    """Units with a score and a mark."""
    bins: Count = BINS
    error: Number | None = None
    low: Number | None = None
    high: Number | None = None
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)

    def words(self) -> str:
        """One line for a terminal."""
        if self.error is None:
            return f"calibration error of the scores: none ({self.reason})"
        ends = "" if self.low is None else f" ({self.low:.3f} to {self.high:.3f})"
        answers = f"{self.scored:,} of {self.units:,} units scored"
        return (
            f"calibration error of the scores: {self.error:.3f}{ends}, "
            f"against {self.metric} in {self.bins} bins, {answers}"
        )


def compared_metric(metrics: Mapping[str, Metric], main: str) -> str | None:
    """What probabilities are compared with: a metric of right and wrong, else a share.

    The main metric comes first, then the others in their order.
    """
    names = [name for name in (main, *metrics) if name in metrics and _is_share(metrics[name])]
    decided = (name for name in names if hook(metrics[name], "right_or_wrong", False))
    return next(decided, names[0] if names else None)


def _is_share(metric: Metric) -> bool:
    ends = hook(metric, "worst", 0.0), hook(metric, "best", 1.0)
    return metric.additive and ends == (0.0, 1.0)


def mean_score(rows: Sequence[Row]) -> float | None:
    """The mean of the scores that a unit's answers have; None unless every answer has one."""
    scores = [row.score for row in rows if row.score is not None and row.error is None]
    return sum(scores) / len(scores) if rows and len(scores) == len(rows) else None


def are_probabilities(scores: Floats, marks: Floats) -> bool:
    """Whether scores and marks are all from 0 to 1."""
    return bool(min(scores.min(), marks.min()) >= 0 and max(scores.max(), marks.max()) <= 1)


def calibration(
    scores: Floats,
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Floats],
    groups: Any,
    settings: Settings,
    *,
    main: str,
) -> CalibrationError:
    """The calibration error of the units' scores, NaN where there is none; passages are drawn."""
    name = compared_metric(metrics, main)
    units = len(scores)
    if name is None:
        return CalibrationError(None, units, 0, reason=NO_METRIC)
    marks = np.asarray(metrics[name].aggregate(vectors[name]), dtype=np.float64)
    chosen = np.flatnonzero(np.isfinite(scores) & np.isfinite(marks))
    if len(chosen) < LEAST:
        return CalibrationError(name, units, len(chosen), reason=NO_SCORES)
    said, got = scores[chosen], marks[chosen]
    if not are_probabilities(said, got):
        return CalibrationError(name, units, len(chosen), reason=NO_PROBABILITIES)
    clusters = Clusters.of(np.asarray(groups)[chosen])
    sums = cluster_sums(calibration_gaps(said, got), clusters.codes, clusters.count)
    drawn = resampled_sums(sums, seed=settings.seed, draws=settings.draws)
    low, high = interval(calibration_error(drawn), level=settings.confidence)
    error = float(calibration_error(sums.sum(axis=0)))
    return CalibrationError(name, units, len(chosen), BINS, error, low, high)


@dataclass(slots=True)
class UnitScores:
    """Takes the score of each unit while a sitting is marked."""

    _scores: array[float] = field(default_factory=lambda: array("d"))

    def before(
        self, on_unit: Callable[[UnitMarks], None] | None
    ) -> Callable[[UnitMarks], None]:
        """Note the score of a unit, and then go on as before."""

        def each(marked: UnitMarks) -> None:
            score = mean_score(marked.rows)
            self._scores.append(float("nan") if score is None else score)
            if on_unit is not None:
                on_unit(marked)

        return each

    def values(self) -> Floats:
        """The scores in the units' order, NaN where there is none."""
        return np.frombuffer(self._scores, dtype=np.float64) if self._scores else np.zeros(0)
