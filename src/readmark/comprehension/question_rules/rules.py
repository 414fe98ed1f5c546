"""The rules of reading comprehension by code, with their thresholds, and the profiles."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from readmark.comprehension.question_rules.answers import (
    answers_disagree,
    few_answers,
    long_answer,
    no_key,
    not_a_span,
)
from readmark.comprehension.question_rules.copying import copied_wording
from readmark.comprehension.question_rules.labels import (
    no_answer_sentence,
    no_level,
    no_type,
    unknown_ability,
    unknown_type,
)
from readmark.comprehension.question_rules.page import PassagePage
from readmark.comprehension.question_rules.wording import (
    answer_in_question,
    arithmetic,
    duplicate_question,
    no_question,
)
from readmark.core.question_rules import (
    QuestionRule,
    QuestionRules,
    RuleFinding,
    RuleSettings,
    profiles_in,
)


def too_many_questions(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Passages with more questions than the documents allow."""
    count = len(page.passage.questions)
    if count > settings["most"]:
        yield page.passage.id, f"{count} questions, at most {settings['most']} a passage"


QUESTION_RULES = QuestionRules(
    rules=(
        QuestionRule(
            "too_many_questions",
            "many questions on a passage",
            too_many_questions,
            {"most": 5},
            of_questions=False,
        ),
        QuestionRule("no_key", "a question without an answer key", no_key),
        QuestionRule("not_a_span", "an answer that is no span of the passage", not_a_span),
        QuestionRule(
            "long_answer",
            "a long answer",
            long_answer,
            {"most": {"zh": 30, "en": 20}},
            discards=True,
        ),
        QuestionRule(
            "few_answers",
            "too few annotators answered a question of an evaluation split",
            few_answers,
            {"least": 3, "splits": ["dev", "test", "challenge"]},
        ),
        QuestionRule("no_level", "a question without a level", no_level, {"levels": [1, 2, 3, 4]}),
        QuestionRule(
            "no_answer_sentence",
            "a question whose answer sentence is not marked",
            no_answer_sentence,
        ),
        QuestionRule("unknown_type", "a type that is none of the twelve", unknown_type),
        QuestionRule("unknown_ability", "an ability that is none of the eight", unknown_ability),
        QuestionRule("no_type", "a question whose key has no type", no_type),
        QuestionRule(
            "arithmetic", "a question that asks for a calculation", arithmetic, needs_language=True
        ),
        QuestionRule(
            "copied_wording",
            "a question in the words of its answer's sentence",
            copied_wording,
            {
                "least_share": {"zh": 0.9, "en": 0.8},
                "run": {"zh": 4, "en": 3},
                "least": {"zh": 6, "en": 5},
            },
            needs_language=True,
        ),
        QuestionRule(
            "duplicate_question", "a question that a passage has twice", duplicate_question
        ),
        QuestionRule(
            "no_question",
            "a question without a question mark or a question word",
            no_question,
            needs_language=True,
        ),
        QuestionRule(
            "answer_in_question",
            "an answer that occurs in its question",
            answer_in_question,
            needs_language=True,
        ),
        QuestionRule(
            "answers_disagree", "people's answers with nothing in common", answers_disagree
        ),
        QuestionRule(
            "missing_types",
            "a test without any question of a type that is asked for",
            None,
            {"types": ["Who", "When", "Where", "Why", "How"], "least": 20},
            of_questions=False,
            needs_language=True,
        ),
        QuestionRule(
            "high_overlap",
            "a split whose questions repeat the words of their answer sentences",
            None,
            {"most": 0.55, "least": 20},
            of_questions=False,
            needs_language=True,
        ),
        QuestionRule(
            "no_parallel",
            "a passage or question that the other language does not have",
            None,
            of_questions=False,
        ),
    ),
    profiles=profiles_in(
        files("readmark.comprehension").joinpath("data/question_rules"), "cmrc", "smart", "brcc"
    ),
    page=PassagePage,
)
