"""City-block distance of rewrite and gold, as a similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.marking.metrics.word_orders import WeightedOrders, WordMeasure
from readmark.measures.similarity import block


@dataclass
class Block(WeightedOrders):
    """1 - Σ |a - b| / (Σ a + Σ b), over counts in both variants."""

    name: ClassVar[str] = "block"

    def measure(self) -> WordMeasure:
        """The formula."""
        return block.block
