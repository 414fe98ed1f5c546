"""Smith and Waterman's local alignment of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts
from readmark.measures.similarity import smith_waterman
from readmark.measures.similarity.simmetrics import smith_waterman as simmetrics


@dataclass
class SmithWaterman(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' are 1, -2 and -1/2."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.smith_waterman(answer, gold)
        return smith_waterman.smith_waterman(answer, gold)
