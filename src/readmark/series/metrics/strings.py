"""Smith and Waterman's local alignment of rewrite and gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.series.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts, OverWords
from readmark.stats.similarity import (
    jaro,
    levenshtein,
    monge_elkan,
    needleman_wunsch,
    qgrams,
    smith_waterman,
)
from readmark.stats.similarity.simmetrics import jaro as simmetrics
from readmark.stats.similarity.simmetrics import monge_elkan as simmetrics_monge_elkan
from readmark.stats.similarity.simmetrics import needleman_wunsch as simmetrics_needleman_wunsch
from readmark.stats.similarity.simmetrics import qgrams as simmetrics_qgrams
from readmark.stats.similarity.simmetrics import smith_waterman as simmetrics_smith_waterman

# Jaro's similarity of rewrite and gold.


@dataclass
class Jaro(OverPlainTexts):
    """SimMetrics' never matches a text's last character."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.jaro(answer, gold)
        return jaro.jaro(answer, gold)


# Jaro and Winkler's similarity of rewrite and gold.


@dataclass
class JaroWinkler(OverPlainTexts):
    """Jaro's and up to four characters of common prefix; SimMetrics' own Jaro and up to six."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics.jaro_winkler(answer, gold)
        return jaro.jaro_winkler(answer, gold)


# Levenshtein's edit distance of rewrite and gold, as a similarity.


@dataclass
class Levenshtein(OverPlainTexts):
    """1 - d / max(|a|, |b|), the same in both variants."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The formula."""
        return levenshtein.levenshtein(answer, gold)


# Monge and Elkan's similarity of rewrite and gold.


@dataclass
class MongeElkan(OverWords):
    """How like each word is to the likest of the other text; SimMetrics' asks of the gold only."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The gold comes first: that direction fits the document's table, the other does not."""
        if self.variant == "simmetrics":
            return simmetrics_monge_elkan.monge_elkan(gold, answer)
        return monge_elkan.monge_elkan(gold, answer)


# Needleman and Wunsch's global alignment of rewrite and gold.


@dataclass
class NeedlemanWunsch(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' costs are 0, 1 and 2."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics_needleman_wunsch.needleman_wunsch(answer, gold)
        return needleman_wunsch.needleman_wunsch(answer, gold)


# The q-grams that rewrite and gold share.


@dataclass
class QGrams(OverPlainTexts):
    """Substrings of three characters; SimMetrics' also over both ends of the text."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics_qgrams.qgrams(answer, gold)
        return qgrams.qgrams(answer, gold)


@dataclass
class SmithWaterman(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' are 1, -2 and -1/2."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The variant's."""
        if self.variant == "simmetrics":
            return simmetrics_smith_waterman.smith_waterman(answer, gold)
        return smith_waterman.smith_waterman(answer, gold)
