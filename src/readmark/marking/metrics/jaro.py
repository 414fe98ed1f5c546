"""Jaro's similarity of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts
from readmark.measures.similarity import jaro
from readmark.measures.similarity.simmetrics import jaro as simmetrics


@dataclass
class Jaro(OverPlainTexts):
    """SimMetrics' never matches a text's last character."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.jaro(answer, gold)
        return jaro.jaro(answer, gold)
