"""The rules and profiles of series that ``check --profile`` applies."""

from __future__ import annotations

from importlib.resources import files

from readmark.core.question_rules import QuestionRule, QuestionRules, profiles_in
from readmark.series.rules.foreign_words import foreign_words
from readmark.series.rules.page import SeriesPage
from readmark.series.rules.short_targets import short_targets
from readmark.series.rules.unresolved_pronouns import unresolved_pronouns

QUESTION_RULES = QuestionRules(
    rules=(
        QuestionRule(
            "unresolved_pronoun",
            "a gold with a pronoun that nothing before it explains",
            unresolved_pronouns,
            needs_language=True,
        ),
        QuestionRule(
            "foreign_word",
            "a gold with a word that neither question, target nor series has",
            foreign_words,
            needs_language=True,
        ),
        QuestionRule(
            "short_target",
            "golds that have a part of the target and none the whole",
            short_targets,
            needs_language=True,
        ),
    ),
    profiles=profiles_in(files("readmark.series").joinpath("data/question_rules"), "series"),
    page=SeriesPage,
)
