"""Levenshtein similarity: edits that make one text the other, over the longer length."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.metrics.best import OverPlainTexts
from readmark.statistics.similarity import edits


@dataclass
class Levenshtein(OverPlainTexts):
    """1 - d / max(|a|, |b|), the same in both variants."""

    formulas = edits.levenshtein, edits.levenshtein
