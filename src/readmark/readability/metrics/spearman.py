"""spearman: Pearson's correlation of the ranks of ratings and gold."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.readability.metrics.rank_correlation import RankCorrelation
from readmark.statistics.correlation import spearman


@dataclass(frozen=True)
class Spearman(RankCorrelation):
    """Pearson's correlation of ranks; equal ratings share the mean of their ranks."""

    ties = "mean rank"
    correlation = spearman
