"""Metrics that compare the characters of rewrite and gold, or word with word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from readmark.core.registry import parameter
from readmark.series.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts, OverWords
from readmark.stats.similarity import simmetrics, strings

StringSimilarity = Callable[[str, str], float]


@dataclass
class VariantOfStrings(OverPlainTexts):
    """A similarity of strings in two variants."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    formulas: ClassVar[tuple[StringSimilarity, StringSimilarity]]
    """The usual one, and SimMetrics'."""

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        return self.formulas[VARIANTS.index(self.variant)](answer, gold)


@dataclass
class Jaro(VariantOfStrings):
    """SimMetrics' never matches a text's last character."""

    formulas = strings.jaro, simmetrics.jaro


@dataclass
class JaroWinkler(VariantOfStrings):
    """Jaro's and up to four characters of common prefix; SimMetrics' own Jaro and up to six."""

    formulas = strings.jaro_winkler, simmetrics.jaro_winkler


@dataclass
class Levenshtein(VariantOfStrings):
    """1 - d / max(|a|, |b|), the same in both variants."""

    formulas = strings.levenshtein, strings.levenshtein


@dataclass
class NeedlemanWunsch(VariantOfStrings):
    """Match 1, mismatch -1, gap -1; SimMetrics' costs are 0, 1 and 2."""

    formulas = strings.needleman_wunsch, simmetrics.needleman_wunsch


@dataclass
class QGrams(VariantOfStrings):
    """Substrings of three characters; SimMetrics' also over both ends of the text."""

    formulas = strings.qgrams, simmetrics.qgrams


@dataclass
class SmithWaterman(VariantOfStrings):
    """Match 1, mismatch -1, gap -1; SimMetrics' are 1, -2 and -1/2."""

    formulas = strings.smith_waterman, simmetrics.smith_waterman


@dataclass
class MongeElkan(OverWords):
    """Mean similarity of each word to its nearest in the other text; SimMetrics: gold only."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The gold comes first: that direction fits the document's table, the other does not."""
        formulas = strings.monge_elkan, simmetrics.monge_elkan
        return formulas[VARIANTS.index(self.variant)](gold, answer)
