"""Sentence chrF of a rewrite, by sacreBLEU."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from readmark.core.errors import UsageError
from readmark.core.registry import parameter
from readmark.series.metrics.best import BestOverRewrites

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

# The values of the paper, and sacreBLEU's defaults.
_CHARACTERS = 6
_BETA = 2


@dataclass
class ChrF(BestOverRewrites):
    """F2 of character n-grams up to six, and of word n-grams up to ``words``.

    "chrF: character n-gram F-score for automatic MT evaluation"; ``words=2`` is chrF++.
    """

    words: int = parameter(0, help="up to how many words in a row count as well; 2 is chrF++")
    lowercase: bool = parameter(False, help="whether case is ignored")

    def __post_init__(self) -> None:
        if self.words < 0:
            raise UsageError(f"metric chrf: words={self.words} is less than 0")

    def alike(self, answer: str, gold: str) -> float:
        """chrF from 0 to 1; equal texts have 1."""
        if answer.split() == gold.split():
            return 1.0
        return min(float(self._chrf.sentence_score(answer, [gold]).score) / 100, 1.0)

    def signature(self) -> Mapping[str, str]:
        """sacreBLEU's own."""
        return {
            "sacrebleu": version("sacrebleu"),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "nc": str(_CHARACTERS),
            "nw": str(self.words),
            "beta": str(_BETA),
            "space": "no",
            **super().signature(),
        }

    @functools.cached_property
    def _chrf(self) -> CHRF:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=_CHARACTERS, word_order=self.words, beta=_BETA, lowercase=self.lowercase
        )
