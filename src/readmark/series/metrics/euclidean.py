"""Euclidean similarity of the counts of words of rewrite and gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.registry import parameter
from readmark.series.metrics.best import VARIANT_HELP, VARIANTS, OverWords
from readmark.statistics.similarity import ngrams, simmetrics
from readmark.statistics.similarity.ngrams import GramMeasure, Grams, SharedGrams


@dataclass
class Euclidean(OverWords):
    """Of the counts of words, from the greatest distance (0) to none (1)."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The variant's formula."""
        formulas: tuple[GramMeasure, GramMeasure] = ngrams.euclidean, simmetrics.euclidean
        return formulas[VARIANTS.index(self.variant)](SharedGrams(Grams(answer, 1), Grams(gold, 1)))
