"""Kendall's rank correlation of ratings with the gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.metrics import Floats
from readmark.marking.metrics.rated import RankedPairs
from readmark.measures.rank_correlation import kendall


@dataclass(frozen=True)
class Kendall(RankedPairs):
    """tau-b: pairs in the same order less pairs in the opposite one, corrected for ties."""

    def score(self, rows: Floats) -> float:
        """Of the passages given; NaN where it is undefined."""
        return float("nan") if rows[:, 2].any() else kendall(rows[:, 0], rows[:, 1])

    def signature(self) -> Mapping[str, str]:
        """How ties are treated."""
        return {**super().signature(), "ties": "tau-b"}
