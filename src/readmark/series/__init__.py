"""Question series: questions that follow each other, rewritten so that each stands alone.

A `Series` has a target and its questions; `series_findings` checks gold rewrites, and
`gold_guidelines` says in words what people who write them should do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.series.kind import series_findings
    from readmark.series.question_rules import gold_explanation, gold_guidelines
    from readmark.series.records import (
        MOST_GOLDS,
        OTHER,
        PREVIOUS_ANSWER,
        Series,
        SeriesQuestion,
        SeriesQuestionKey,
        bracketed,
    )
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
        "kind": "series_findings",
        "question_rules": "gold_explanation gold_guidelines",
        "records": "MOST_GOLDS OTHER PREVIOUS_ANSWER Series SeriesQuestion SeriesQuestionKey "
        "bracketed",
        "words": "Cutter cutter",
    },
)
