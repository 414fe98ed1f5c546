"""Jaro similarity of the characters of rewrite and gold."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.series.metrics.best import OverPlainTexts
from readmark.statistics.similarity import edits, simmetrics


@dataclass
class Jaro(OverPlainTexts):
    """Jaro similarity; SimMetrics' never matches a text's last character."""

    formulas = edits.jaro, simmetrics.jaro
