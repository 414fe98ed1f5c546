"""How far the scores of a sitting can be taken for probabilities: its calibration error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from readmark.core import numbers
from readmark.core.arrays import Floats, Ints
from readmark.core.records import BoundedCount, Number
from readmark.hooks import Metric
from readmark.marking.columns import VectorColumn
from readmark.marking.metrics import is_additive
from readmark.marking.settings import MarkSettings
from readmark.statistics.calibration import BINS, calibration_error, calibration_gaps
from readmark.statistics.groups import UnitClusters
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import cluster_sums, resampled_sums

LEAST = 2
"""Answers that a calibration error needs."""
NO_SCORES = "no scores"
NO_METRIC = "no metric from 0 to 1"
NO_PROBABILITIES = "they are not all between 0 and 1"


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error against one metric, with its interval."""

    scored: BoundedCount
    """Units with a score and a mark."""
    error: Number
    low: Number | None
    high: Number | None

    def words(self) -> str:
        """The error and its interval."""
        ends = "" if self.low is None else f" ({numbers.interval(self.low, self.high, 1)})"
        return f"{numbers.mark(self.error, 1)}{ends}"


@dataclass(frozen=True, slots=True)
class ScoreCalibration:
    """How far a sitting's scores are from its marks, by metric, or why that is unknown."""

    units: BoundedCount
    scored: BoundedCount
    bins: BoundedCount
    errors: Mapping[str, CalibrationError]
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)

    def words(self) -> str:
        """One line for a terminal."""
        if self.reason is not None:
            return f"calibration error of the scores: none ({self.reason})"
        errors = ", ".join(f"{name} {error.words()}" for name, error in self.errors.items())
        scored = f"{self.scored:,} of {self.units:,} units scored, {self.bins} bins"
        return f"calibration error of the scores: {errors}; {scored}"


@dataclass(slots=True)
class ScoreGaps:
    """How far scores are from marks: a row for each unit, or for each cluster their sum."""

    units: int
    scored: int
    are_shares: bool
    """Whether every score is from 0 to 1."""
    rows: int
    columns: dict[str, VectorColumn] = field(default_factory=dict)
    """By metric; zeros where there is no score or no mark, and none where there are no scores."""
    marks_are_shares: dict[str, bool] = field(default_factory=dict)

    def extend(self, other: ScoreGaps) -> None:
        """Take in the units that follow."""
        for name in {**self.columns, **other.columns}:
            column = self._column(name)
            column.cells.extend(other._column(name).cells)
            self.columns[name] = column
            self.marks_are_shares[name] = self.marks_are_shares.get(
                name, True
            ) and other.marks_are_shares.get(name, True)
        self.units += other.units
        self.rows += other.rows
        self.scored += other.scored
        self.are_shares = self.are_shares and other.are_shares

    def _column(self, name: str) -> VectorColumn:
        """A metric's column; zeros where no unit of these has a score."""
        return self.columns.get(name) or VectorColumn.of(np.zeros((self.rows, BINS + 1)))

    def sum_clusters(self, codes: Ints, clusters: int) -> None:
        """Keep a row for each cluster; ``codes`` says each unit's."""
        for column in self.columns.values():
            column.sum_rows(codes, clusters)
        self.rows = clusters


def score_gaps(
    scores: Floats, metrics: Mapping[str, Metric], vectors: Mapping[str, Floats]
) -> ScoreGaps:
    """What the calibration errors need of units; ``scores`` are NaN where there is none."""
    has_score = np.isfinite(scores)
    units, scored = len(scores), int(has_score.sum())
    gaps = ScoreGaps(units, scored, _are_shares(scores[has_score]), rows=units)
    for name, metric in metrics.items() if scored else ():
        if {metric.facts.worst, metric.facts.best} != {0.0, 1.0} or not is_additive(metric):
            continue
        marks = np.asarray(metric.aggregate(vectors[name]), dtype=np.float64)
        chosen = np.flatnonzero(has_score & np.isfinite(marks))
        rows = np.zeros((units, BINS + 1))
        if gaps.are_shares:
            rows[chosen] = calibration_gaps(scores[chosen], marks[chosen])
        gaps.columns[name] = VectorColumn.of(rows)
        gaps.marks_are_shares[name] = _are_shares(marks[chosen])
    return gaps


def calibration(gaps: ScoreGaps, groups: Ints, settings: MarkSettings) -> ScoreCalibration:
    """The calibration errors of the scores; ``groups`` are the clusters of the gaps' rows."""
    counts = gaps.units, gaps.scored, BINS
    if gaps.scored < LEAST:
        return ScoreCalibration(*counts, {}, NO_SCORES)
    if not gaps.are_shares:
        return ScoreCalibration(*counts, {}, NO_PROBABILITIES)
    errors = {
        name: error
        for name, column in gaps.columns.items()
        if gaps.marks_are_shares[name]
        and (error := _calibration_error(column.matrix(), groups, settings)) is not None
    }
    return ScoreCalibration(*counts, errors, None if errors else NO_METRIC)


def _calibration_error(
    rows: Floats, groups: Ints, settings: MarkSettings
) -> CalibrationError | None:
    chosen = np.flatnonzero(rows[:, -1])
    scored = int(rows[:, -1].sum())
    if scored < LEAST:
        return None
    clusters = UnitClusters.of(groups[chosen])
    sums = cluster_sums(rows[chosen], clusters.codes, clusters.count)
    drawn = resampled_sums(sums, seed=settings.seed, draws=settings.draws)
    low, high = interval(calibration_error(drawn), level=settings.confidence)
    return CalibrationError(scored, float(calibration_error(sums.sum(axis=0))), low, high)


def _are_shares(values: Floats) -> bool:
    return not len(values) or bool(values.min() >= 0 and values.max() <= 1)
