"""The Jaccard coefficient of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.marking.metrics.word_orders import WeightedOrders, WordMeasure
from readmark.measures.similarity import jaccard


@dataclass
class Jaccard(WeightedOrders):
    """|A ∩ B| / |A ∪ B|, over sets in both variants."""

    name: ClassVar[str] = "jaccard"

    def measure(self) -> WordMeasure:
        """The formula."""
        return jaccard.jaccard
