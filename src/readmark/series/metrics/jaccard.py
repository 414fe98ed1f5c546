"""Jaccard coefficient of the words of rewrite and gold: the main metric of rewrites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.statistics.similarity import ngrams


@dataclass
class Jaccard(WeightedOrders):
    """|A ∩ B| / |A ∪ B|, over sets in both variants."""

    name: ClassVar[str] = "jaccard"
    formulas = ngrams.jaccard, ngrams.jaccard
