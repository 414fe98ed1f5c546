"""Where candidates say how sure they are: reliability, and risk against coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.marking.marks import make_marks
from readmark.marking.metrics import Floats
from readmark.measures.calibration import (
    RiskCoverage,
    calibration_error,
    reliability,
    risk_coverage,
)
from readmark.reporting.html.sections import Candidate
from readmark.reporting.html.words import Both


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
    """A candidate's scores against its marks. Scores outside 0 to 1 only give an order."""

    candidate: Both
    scored: int
    units: int
    bins: Sequence[ReliabilityBin]
    error: float | None
    """The expected calibration error; None where scores are no probabilities."""
    risk: RiskCoverage


def certainty(candidate: Candidate, metric: str) -> Certainty | None:
    """How the scores fit the marks of a metric; None where they cannot be set side by side."""
    rules = candidate.metrics.get(metric)
    if rules is None or not rules.additive:
        return None
    scores = [_score(candidate, at) for at in range(len(candidate.sheet.units))]
    values = candidate.values(metric)
    at = [i for i, (s, v) in enumerate(zip(scores, values, strict=True)) if None not in (s, v)]
    if len(at) < 2:
        return None
    said: Floats = np.array([scores[i] for i in at], dtype=np.float64)
    marks: Floats = np.array([values[i] for i in at], dtype=np.float64)
    losses = np.abs(rules.best - marks)
    bins: list[ReliabilityBin] = []
    error = None
    shares = rules.best == 1 and rules.worst == 0 and bool((marks >= 0).all() & (marks <= 1).all())
    if shares and bool((said >= 0).all() & (said <= 1).all()):
        found = reliability(said, marks)
        error = calibration_error(found)
        for one in found:
            low, high = _interval(candidate, metric, np.asarray(at)[one.members])
            bins.append(ReliabilityBin(len(one.members), one.score, one.mark, low, high))
    units = len(candidate.sheet.units)
    risk = risk_coverage(said, losses, units=units)
    return Certainty(candidate.label, len(at), units, bins, error, risk)


def _score(candidate: Candidate, at: int) -> float | None:
    """The mean of the scores that the unit's answers carry; None unless every one has it."""
    rows = candidate.sheet.units[at].answers
    said = [row.score for row in rows if row.score is not None and row.error is None]
    return sum(said) / len(said) if rows and len(said) == len(rows) else None


def _interval(
    candidate: Candidate, metric: str, members: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> tuple[float | None, float | None]:
    """The interval of some units' mark, unscaled, as a slice of them would have it."""
    tally, sheet = candidate.tally, candidate.sheet
    rules = candidate.metrics[metric]
    made = make_marks(
        {metric: rules},
        {metric: tally.vectors[metric].matrix()[members]},
        tally.groups[members],
        sheet.kind,
        sheet.settings,
    )[metric]
    low, high = made.low, made.high
    return (
        None if low is None else low / rules.scale,
        None if high is None else high / rules.scale,
    )
