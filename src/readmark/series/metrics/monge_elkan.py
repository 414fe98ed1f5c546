"""Monge-Elkan similarity: the mean of each word's similarity to its nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.registry import parameter
from readmark.series.metrics.best import VARIANT_HELP, VARIANTS, OverWords
from readmark.statistics.similarity import monge_elkan, simmetrics


@dataclass
class MongeElkan(OverWords):
    """Mean similarity of each word to its nearest in the other text; SimMetrics: gold only."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The gold comes first: that direction fits the document's table, the other does not."""
        formulas = monge_elkan.monge_elkan, simmetrics.monge_elkan
        return formulas[VARIANTS.index(self.variant)](gold, answer)
