"""Dice coefficient of the words of rewrite and gold: a metric of rewrites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.statistics.similarity import ngrams


@dataclass
class Dice(WeightedOrders):
    """2 |A ∩ B| / (|A| + |B|), over sets in both variants."""

    name: ClassVar[str] = "dice"
    formulas = ngrams.dice, ngrams.dice
