"""What the correlations of ranks, Spearman's and Kendall's, have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.records import Unit
from readmark.hooks import MetricFacts, MetricReport
from readmark.readability.metrics.ratings import gold_of, rating_of
from readmark.readability.metrics.undefined import why_undefined
from readmark.readability.scale import MIDDLE


class RankCorrelation:
    """A correlation of ranks: a unit's vector is (gold, rating, whether it is unanswered)."""

    facts: ClassVar[MetricFacts] = MetricFacts(width=3, quantity="correlation")
    ties: ClassVar[str]
    """How ties are ranked."""
    correlation: ClassVar[Callable[[Floats, Floats], float]]

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Gold and rating are counted from the middle of the scale."""
        gold = gold_of(unit, references) - MIDDLE
        return (gold, 0.0, 1.0) if answer is None else (gold, rating_of(unit, answer) - MIDDLE, 0.0)

    def aggregate(self, sums: Floats) -> Floats:
        """Undefined: ranks need every passage, so no sum over passages can give them."""
        return np.full(sums.shape[:-1], np.nan)

    def score(self, rows: Floats) -> float:
        """The correlation over the passages, a row each; NaN where it is undefined."""
        return math.nan if rows[:, 2].any() else type(self).correlation(rows[:, 0], rows[:, 1])

    def report(self, rows: Floats) -> MetricReport:
        """Why the correlation is undefined, where it is."""
        return MetricReport(remarks=why_undefined(rows[:, 0], rows[:, 1], rows[:, 2]))

    def signature(self) -> Mapping[str, str]:
        """What is correlated, and how ties are ranked."""
        return {
            "gold": "expert mean",
            "repeats": "mean rating",
            "unanswered": "undefined",
            "ties": self.ties,
        }
