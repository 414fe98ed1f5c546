"""Levenshtein's edit distance of rewrite and gold, as a similarity."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.rewrites import VARIANT_HELP, VARIANTS, OverPlainTexts
from readmark.measures.similarity import levenshtein


@dataclass
class Levenshtein(OverPlainTexts):
    """1 - d / max(|a|, |b|), the same in both variants."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def strings(self, answer: str, gold: str) -> float:
        """The formula."""
        return levenshtein.levenshtein(answer, gold)
