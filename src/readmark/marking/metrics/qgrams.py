"""The q-grams that rewrite and gold share."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts
from readmark.measures.similarity import qgrams
from readmark.measures.similarity.simmetrics import qgrams as simmetrics


@dataclass
class QGrams(OverPlainTexts):
    """Substrings of three characters; SimMetrics' also over both ends of the text."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.qgrams(answer, gold)
        return qgrams.qgrams(answer, gold)
