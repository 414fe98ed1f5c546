"""Spearman's rank correlation of ratings with the gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.metrics import Floats
from readmark.marking.metrics.rated import RankedPairs
from readmark.measures.rank_correlation import spearman


@dataclass(frozen=True)
class Spearman(RankedPairs):
    """Pearson's correlation of ranks; equal ratings share the mean of their ranks."""

    def score(self, rows: Floats) -> float:
        """Of the passages given; NaN where it is undefined."""
        return float("nan") if rows[:, 2].any() else spearman(rows[:, 0], rows[:, 1])

    def signature(self) -> Mapping[str, str]:
        """How ties are ranked."""
        return {**super().signature(), "ties": "mean rank"}
