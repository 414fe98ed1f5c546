"""The cosine of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.marking.metrics.word_orders import WeightedOrders, WordMeasure
from readmark.measures.similarity import cosine
from readmark.measures.similarity.simmetrics import cosine as simmetrics


@dataclass
class Cosine(WeightedOrders):
    """Σ a b / √(Σ a² Σ b²), over counts; SimMetrics' over sets."""

    name: ClassVar[str] = "cosine"

    def measure(self) -> WordMeasure:
        """The variant's formula."""
        return cosine.cosine if self.variant == "standard" else simmetrics.cosine
