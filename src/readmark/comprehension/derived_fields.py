"""Fields that are computed from a question, its answers and its passage, to slice marks by.

``readmark stats`` counts types and word overlap with the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from readmark.comprehension.question_overlap import QuestionOverlap
from readmark.core.records import Unit
from readmark.marking import DerivedField
from readmark.text.lengths import LENGTHS, length_unit
from readmark.text.questions.types import RULED, RULES, question_type, wh_word

if TYPE_CHECKING:
    from readmark.core.test import Test

HAS_ANSWER, NO_ANSWER = "HasAns", "NoAns"
"""What SQuAD 2.0's script calls questions with and without an answer in the passage."""


def derived_fields(test: Test) -> Mapping[str, DerivedField]:
    """The fields of a comprehension test; those by rules of a language only where it has them."""
    size_unit = length_unit(test.language)
    size = LENGTHS[size_unit]

    def answerable(unit: Unit) -> str | None:
        if unit.key is None:
            return None
        return NO_ANSWER if unit.key.unanswerable else HAS_ANSWER

    def answer_length(unit: Unit) -> float | None:
        """The mean over all answers in words."""
        if unit.key is None or unit.key.unanswerable:
            return None
        answers = [answer.text for person in test.kind.references(unit) for answer in person]
        return sum(map(size, answers)) / len(answers) if answers else None

    fields = {
        "answerable": DerivedField(answerable, "answerable:key", is_usual=True),
        "answer_length": DerivedField(
            answer_length,
            f"unit:{size_unit}|answers:mean",
            quartiles=True,
            decimals=1,
            is_usual=True,
        ),
        "question_length": DerivedField(
            lambda unit: size(unit.item.text), f"unit:{size_unit}", quartiles=True, is_usual=True
        ),
        "passage_length": DerivedField(
            lambda unit: size(unit.record.text), f"unit:{size_unit}", quartiles=True, is_usual=True
        ),
    }
    if test.language not in RULED:
        return fields
    overlap = QuestionOverlap(test.kind, test.language)
    return {
        "type": DerivedField(lambda unit: type_of(test, unit), f"types:{RULES}", is_usual=True),
        "question_word": DerivedField(
            lambda unit: wh_word(unit.item.text, test.language), f"question words:{RULES}"
        ),
        **fields,
        "overlap": DerivedField(
            overlap.with_answer_sentence,
            f"with:answer sentence|{overlap.signature()}",
            quartiles=True,
            decimals=2,
        ),
        "passage_overlap": DerivedField(
            overlap.with_passage,
            f"with:passage|{overlap.signature()}",
            quartiles=True,
            decimals=2,
        ),
    }


def type_of(test: Test, unit: Unit, *, parallel: str | None = None) -> Any:
    """A question's type or types; None if the key has none and no rules can find one."""
    stated = unit.field("type")
    if stated is not None:
        return stated
    if test.kind.name != "comprehension" or test.language not in RULED:
        return None
    return question_type(unit.item.text, test.language, parallel=parallel)
