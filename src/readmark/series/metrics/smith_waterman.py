"""Smith-Waterman similarity: the best local alignment, over the shorter length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.hooks import Case
from readmark.series.metrics.best import VARIANTS, OverPlainTexts
from readmark.series.metrics.golds import golds
from readmark.statistics.similarity import alignment, simmetrics


@dataclass
class SmithWaterman(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' are 1, -2 and -1/2."""

    formulas = alignment.smith_waterman, simmetrics.smith_waterman

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """(best, 1) of every answer; the tables of all pairs are filled at once."""
        formulas = alignment.smith_waterman_of_each, simmetrics.smith_waterman_of_each
        similarities_of = formulas[VARIANTS.index(self.variant)]
        indices, answers, texts = [], [], []
        for index, case in enumerate(cases):
            if case.answer is None:
                continue
            for gold in golds(case.unit, case.references):
                indices.append(index)
                answers.append(self._plain(case.answer.text))
                texts.append(self._plain(gold))
        best = [0.0] * len(cases)
        for index, similarity in zip(indices, similarities_of(answers, texts), strict=True):
            best[index] = max(best[index], similarity)
        return [(value, 1.0) for value in best]
