"""How far a candidate's own scores can be trusted: reliability, and risk against coverage.

Reliability bins and the expected calibration error are those of Guo et al., On Calibration of
Modern Neural Networks; the risk–coverage curve and its area are those of Geifman et al.,
Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.grid import to_grid

BINS = 10
"""Guo et al. take 15 for test sets of thousands; a reading test of a hundred questions has some ten
answers a bin with these."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers whose scores lie between two bounds: how sure, and how good they were."""

    low: float
    high: float
    members: NDArray[np.intp]
    score: float
    mark: float


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The risk of answering only the surest units, by the share answered; ties move together."""

    coverage: Floats
    risk: Floats
    area: float
    """The mean risk over every number of units answered: the lower, the better the order."""


def reliability(scores: Floats, marks: Floats, *, bins: int = BINS) -> list[Bin]:
    """Equally wide bins from 0 to 1, closed on the right as in Guo et al.; 0 is in the first."""
    bin_of_each = _bin_of(scores, bins)
    filled = []
    for index in range(bins):
        members = np.flatnonzero(bin_of_each == index)
        if len(members):
            mean_score = float(scores[members].mean())
            mean_mark = float(marks[members].mean())
            filled.append(Bin(index / bins, (index + 1) / bins, members, mean_score, mean_mark))
    return filled


def _bin_of(scores: Floats, bins: int) -> NDArray[np.intp]:
    return np.searchsorted(np.arange(1, bins) / bins, scores, side="left")


def calibration_gaps(scores: Floats, marks: Floats, *, bins: int = BINS) -> Floats:
    """A row per answer: score minus mark in the column of its bin, and 1 in the last column."""
    rows = np.zeros((len(scores), bins + 1))
    rows[np.arange(len(scores)), _bin_of(scores, bins)] = to_grid(scores - marks)
    rows[:, bins] = 1.0
    return rows


def calibration_error(sums: Floats) -> Floats:
    """The mean distance between score and mark, weighted by the bins' sizes, of summed gaps."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.abs(sums[..., :-1]).sum(axis=-1) / sums[..., -1])


def risk_coverage(scores: Floats, losses: Floats, *, units: int) -> RiskCoverage:
    """The curve over the thresholds of the scores; ``units`` counts those without a score too."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    totals = np.cumsum(losses[order])[ends]
    counts = ends + 1.0
    return RiskCoverage(counts / units, totals / counts, _area(counts, totals))


def _area(counts: Floats, totals: Floats) -> float:
    """Within a tie any order is as likely, so the loss grows evenly from end to end."""
    every = np.arange(1, int(counts[-1]) + 1, dtype=np.float64)
    grown = np.interp(every, np.append(0.0, counts), np.append(0.0, totals))
    return float((grown / every).mean())
