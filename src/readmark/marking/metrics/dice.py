"""The Dice coefficient of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.marking.metrics.word_orders import WeightedOrders, WordMeasure
from readmark.measures.similarity import dice


@dataclass
class Dice(WeightedOrders):
    """2 |A ∩ B| / (|A| + |B|), over sets in both variants."""

    name: ClassVar[str] = "dice"

    def measure(self) -> WordMeasure:
        """The formula."""
        return dice.dice
