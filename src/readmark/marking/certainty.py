"""A candidate's scores against its marks: reliability, and the risk of what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.hooks import Kind, Metric
from readmark.marking.calibration import CalibrationError, calibration, score_gaps
from readmark.marking.marks import make_marks
from readmark.marking.metrics import is_additive
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import Tally
from readmark.statistics.calibration import RiskCoverage, reliability, risk_coverage


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about one score: how many, the mean score, and their mark with its interval."""

    units: int
    score: float
    mark: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Certainty:
    """How the scores of answers fit a metric's marks. Outside 0 to 1 they only give an order."""

    scored: int
    units: int
    calibration: CalibrationError | None
    """None where scores are no probabilities."""
    bins: Sequence[ReliabilityBin]
    risk: RiskCoverage


def certainty(
    tally: Tally, name: str, metric: Metric, kind: Kind, settings: MarkSettings
) -> Certainty | None:
    """How the scores fit the marks of a metric; None where they cannot be set side by side."""
    if not is_additive(metric):
        return None
    scores, vectors = tally.scores, tally.vectors[name].matrix()
    marks: Floats = metric.aggregate(vectors)
    chosen = np.flatnonzero(np.isfinite(scores) & np.isfinite(marks))
    if len(chosen) < 2:
        return None
    gaps = score_gaps(scores, {name: metric}, {name: vectors})
    calibrated = calibration(gaps, tally.groups, settings)
    bins: list[ReliabilityBin] = []
    for bin in reliability(scores[chosen], marks[chosen]) if calibrated.errors else ():
        units = chosen[bin.members]
        [mark] = make_marks(
            {name: metric}, {name: vectors[units]}, tally.groups[units], kind, settings
        ).values()
        low, high = (
            None if end is None else end / metric.facts.scale for end in (mark.low, mark.high)
        )
        bins.append(ReliabilityBin(len(units), bin.score, bin.mark, low, high))
    losses = np.abs(metric.facts.best - marks[chosen])
    return Certainty(
        len(chosen),
        len(scores),
        calibrated.errors.get(name),
        bins,
        risk_coverage(scores[chosen], losses, units=len(scores)),
    )
