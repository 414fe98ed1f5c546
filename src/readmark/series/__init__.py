"""Question series: questions that follow each other, rewritten so that each stands alone.

A `Series` has a target and its questions; `series_findings` checks gold rewrites, and
`gold_guidelines` says in words what people who write them should do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.series.gold_checks import series_findings
    from readmark.series.guidelines import gold_explanation, gold_guidelines
    from readmark.series.notation import MOST_GOLDS, OTHER, PREVIOUS_ANSWER, bracketed
    from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
    from readmark.series.words import Cutter, cutter

__all__ = [
    "MOST_GOLDS",
    "OTHER",
    "PREVIOUS_ANSWER",
    "Cutter",
    "Series",
    "SeriesQuestion",
    "SeriesQuestionKey",
    "bracketed",
    "cutter",
    "gold_explanation",
    "gold_guidelines",
    "series_findings",
]

__getattr__ = door(
    __name__,
    {
        "gold_checks": "series_findings",
        "guidelines": "gold_explanation gold_guidelines",
        "notation": "MOST_GOLDS OTHER PREVIOUS_ANSWER bracketed",
        "records": "Series SeriesQuestion SeriesQuestionKey",
        "words": "Cutter cutter",
    },
)
