"""pearson: the correlation of ratings with the gold, from sums over passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.records import Unit
from readmark.hooks import MetricFacts, MetricReport
from readmark.readability.metrics.ratings import gold_of, rating_of
from readmark.readability.metrics.undefined import ALIKE, why_undefined
from readmark.readability.scale import MIDDLE
from readmark.statistics.correlation import Moments, from_moments, moments
from readmark.statistics.grid import GRID


@dataclass(frozen=True)
class Pearson:
    """cov(E, M) / (σE σM) over passages, by moments; metric 3 of the DARPA readability task.

    Undefined where either side does not vary, or a passage is unanswered.
    """

    facts: ClassVar[MetricFacts] = MetricFacts(width=15, quantity="correlation")

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """``Moments`` of gold and rating, and whether the passage is unanswered.

        Both are counted from the middle of the scale, so that the sums of squares stay small.
        """
        gold = gold_of(unit, references) - MIDDLE
        if answer is None:
            return *moments(gold, 0.0), 1.0
        return *moments(gold, rating_of(unit, answer) - MIDDLE), 0.0

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The vector of the mean rating: what is correlated when a passage was asked repeatedly.

        The mean of the vectors would not do: it has the mean of squares, not the square of the
        mean, so that a rater who wavers would seem to vary over passages.
        """
        pairs = [pair_of(vector) for vector in vectors]
        missing = sum(vector[-1] for vector in vectors)
        rating = sum(rating for _, rating in pairs) / len(pairs)
        return *moments(pairs[0][0], rating), missing / len(pairs)

    def aggregate(self, sums: Floats) -> Floats:
        """The correlation of the passages that were summed."""
        return np.where(sums[..., -1] > 0, np.nan, from_moments(sums[..., :-1]))

    def report(self, rows: Floats) -> MetricReport:
        """Why the correlation is undefined, where it is."""
        gold, ratings = pair_of(list(rows.T))
        reasons = why_undefined(gold, ratings, rows[:, -1])
        if not reasons and np.isnan(self.aggregate(rows.sum(axis=0))):
            reasons = [f"undefined: {ALIKE}"]
        return MetricReport(remarks=reasons)

    def signature(self) -> Mapping[str, str]:
        """What is correlated."""
        return {
            "gold": "expert mean",
            "repeats": "mean rating",
            "unanswered": "undefined",
            "units": "correlation",
        }


def pair_of(vector: Sequence[Any]) -> tuple[Any, Any]:
    """Gold and rating of ``Pearson``'s vector, or of its columns, from the middle of the scale."""
    sums: Moments[Any] = Moments(*vector[:-1])
    return sums.x + sums.x_low * GRID, sums.y + sums.y_low * GRID
