"""Needleman and Wunsch's global alignment of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts
from readmark.measures.similarity import needleman_wunsch
from readmark.measures.similarity.simmetrics import needleman_wunsch as simmetrics


@dataclass
class NeedlemanWunsch(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' costs are 0, 1 and 2."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.needleman_wunsch(answer, gold)
        return needleman_wunsch.needleman_wunsch(answer, gold)
