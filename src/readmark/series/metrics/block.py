"""City-block similarity of the words of rewrite and gold: a metric of rewrites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.statistics.similarity import ngrams


@dataclass
class Block(WeightedOrders):
    """1 - Σ |a - b| / (Σ a + Σ b), over counts in both variants."""

    name: ClassVar[str] = "block"
    formulas = ngrams.block, ngrams.block
