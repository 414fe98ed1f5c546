"""Needleman-Wunsch similarity: the best global alignment of characters."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.metrics.best import OverPlainTexts
from readmark.statistics.similarity import edits, simmetrics


@dataclass
class NeedlemanWunsch(OverPlainTexts):
    """Match 1, mismatch -1, gap -1; SimMetrics' costs are 0, 1 and 2."""

    formulas = edits.needleman_wunsch, simmetrics.needleman_wunsch
