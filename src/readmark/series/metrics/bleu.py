"""Sentence BLEU of a rewrite, by sacreBLEU."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from readmark.core.registry import parameter
from readmark.series.metrics.best import BestOverRewrites

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


@dataclass
class Bleu(BestOverRewrites):
    """BLEU of each rewrite, with effective order: short texts are not punished for being short.

    After "A Call for Clarity in Reporting BLEU Scores". The mean over questions is no corpus BLEU.
    """

    smooth: str = parameter(
        "exp", choices=("exp", "floor", "add-k", "none"), help="sacreBLEU's smoothing of zeros"
    )
    lowercase: bool = parameter(False, help="whether case is ignored")

    def alike(self, answer: str, gold: str) -> float:
        """BLEU from 0 to 1; equal texts have 1, also those that are too short for any BLEU."""
        if answer.split() == gold.split():
            return 1.0
        return min(float(self._bleu.sentence_score(answer, [gold]).score) / 100, 1.0)

    def signature(self) -> Mapping[str, str]:
        """The members of sacreBLEU's own signature, and those of every metric of rewrites."""
        return {
            "sacrebleu": version("sacrebleu"),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "tok": self._tokenizer,
            "smooth": self.smooth,
            **super().signature(),
        }

    @property
    def _tokenizer(self) -> str:
        return "zh" if self.language == "zh" else "13a"

    @functools.cached_property
    def _bleu(self) -> BLEU:
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            lowercase=self.lowercase,
            tokenize=self._tokenizer,
            smooth_method=self.smooth,
            effective_order=True,
        )
