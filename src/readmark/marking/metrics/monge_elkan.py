"""Monge and Elkan's similarity of rewrite and gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverWords
from readmark.measures.similarity import monge_elkan
from readmark.measures.similarity.simmetrics import monge_elkan as simmetrics


@dataclass
class MongeElkan(OverWords):
    """How like each word is to the likest of the other text; SimMetrics' asks of the gold only."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The gold comes first: that direction fits the document's table, the other does not."""
        if self.variant == "simmetrics":
            return simmetrics.monge_elkan(gold, answer)
        return monge_elkan.monge_elkan(gold, answer)
