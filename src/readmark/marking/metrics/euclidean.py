"""Euclidean distance of rewrite and gold, as a similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverWords
from readmark.measures.similarity import euclidean
from readmark.measures.similarity.shared import Grams, Pair
from readmark.measures.similarity.simmetrics import euclidean as simmetrics


@dataclass
class Euclidean(OverWords):
    """Of the counts of words, from the greatest distance (0) to none (1)."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The variant's formula."""
        formula = euclidean.euclidean if self.variant == "standard" else simmetrics.euclidean
        return formula(Pair(Grams(answer, 1), Grams(gold, 1)))
