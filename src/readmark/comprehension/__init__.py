"""Reading comprehension: questions on a passage, with its formats, readers, metrics and profiles.

What a question is like is computed here for those who make tests: its type and word overlap with
the passage (`type_of`, `QuestionOverlap`), the reasoning that it needs (levels 1 to 4: `levelled`,
`judge_levels`, people's `LevelLabels`), and what a profile asks of people who write questions
(`question_guidelines`). `train_span` and `train_confidence` train the span reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.comprehension.derived_fields import type_of
    from readmark.comprehension.kind import COMPREHENSION
    from readmark.comprehension.levels.decision import levelled
    from readmark.comprehension.levels.judging import judge_levels, with_levels
    from readmark.comprehension.levels.labels import UNNAMED_PERSON, LevelLabels, read_label
    from readmark.comprehension.levels.scale import LEVEL_BY, LEVELS, as_level, is_by_rules
    from readmark.comprehension.question_overlap import QuestionOverlap
    from readmark.comprehension.question_rules.answers import answer_length, count_annotators
    from readmark.comprehension.question_rules.guidelines import (
        guideline_profiles,
        question_guidelines,
        rule_explanation,
    )
    from readmark.comprehension.span.confidence_training import train_confidence
    from readmark.comprehension.span.settings import SpanPlan, SpanSettings
    from readmark.comprehension.span.training import train_span

__all__ = [
    "COMPREHENSION",
    "LEVELS",
    "LEVEL_BY",
    "UNNAMED_PERSON",
    "LevelLabels",
    "QuestionOverlap",
    "SpanPlan",
    "SpanSettings",
    "answer_length",
    "as_level",
    "count_annotators",
    "guideline_profiles",
    "is_by_rules",
    "judge_levels",
    "levelled",
    "question_guidelines",
    "read_label",
    "rule_explanation",
    "train_confidence",
    "train_span",
    "type_of",
    "with_levels",
]

__getattr__ = door(
    __name__,
    {
        "derived_fields": "type_of",
        "kind": "COMPREHENSION",
        "levels.decision": "levelled",
        "levels.judging": "judge_levels with_levels",
        "levels.labels": "LevelLabels UNNAMED_PERSON read_label",
        "levels.scale": "LEVELS LEVEL_BY as_level is_by_rules",
        "question_overlap": "QuestionOverlap",
        "question_rules.answers": "answer_length count_annotators",
        "question_rules.guidelines": "guideline_profiles question_guidelines rule_explanation",
        "span.confidence_training": "train_confidence",
        "span.settings": "SpanPlan SpanSettings",
        "span.training": "train_span",
    },
)
