"""Jaro-Winkler similarity: Jaro's, with a bonus for a common beginning."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.metrics.best import OverPlainTexts
from readmark.statistics.similarity import edits, simmetrics


@dataclass
class JaroWinkler(OverPlainTexts):
    """Jaro's and up to four characters of common prefix; SimMetrics' own Jaro and up to six."""

    formulas = edits.jaro_winkler, simmetrics.jaro_winkler
