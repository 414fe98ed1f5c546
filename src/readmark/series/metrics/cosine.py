"""Cosine of the words of rewrite and gold: a metric of rewrites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.statistics.similarity import ngrams, simmetrics


@dataclass
class Cosine(WeightedOrders):
    """Σ a b / √(Σ a² Σ b²), over counts; SimMetrics' over sets."""

    name: ClassVar[str] = "cosine"
    formulas = ngrams.cosine, simmetrics.cosine
