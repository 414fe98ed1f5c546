"""kendall: whether pairs of passages are in the experts' order."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.readability.metrics.rank_correlation import RankCorrelation
from readmark.statistics.correlation import kendall


@dataclass(frozen=True)
class Kendall(RankCorrelation):
    """tau-b: pairs in the same order less pairs in the opposite one, corrected for ties."""

    ties = "tau-b"
    correlation = kendall
