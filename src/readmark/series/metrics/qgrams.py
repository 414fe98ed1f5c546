"""Q-gram similarity: the share of substrings of three characters that pair off."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.metrics.best import OverPlainTexts
from readmark.statistics.similarity import qgrams, simmetrics


@dataclass
class QGrams(OverPlainTexts):
    """Substrings of three characters; SimMetrics' also over both ends of the text."""

    formulas = qgrams.qgrams, simmetrics.qgrams
