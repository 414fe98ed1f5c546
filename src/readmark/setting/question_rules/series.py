"""The rules of series: what a person should look at in gold rewrites."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.setting.question_rules.rule import Rule, Said, Settings
from readmark.setting.series_rules.foreign_words import foreign_words
from readmark.setting.series_rules.page import SeriesPage
from readmark.setting.series_rules.pronouns import unresolved_pronouns
from readmark.setting.series_rules.short_targets import short_targets


def _pronouns(page: SeriesPage, settings: Settings) -> Iterator[Said]:
    return unresolved_pronouns(page)


def _words(page: SeriesPage, settings: Settings) -> Iterator[Said]:
    return foreign_words(page)


def _targets(page: SeriesPage, settings: Settings) -> Iterator[Said]:
    return short_targets(page)


UNRESOLVED_PRONOUN = Rule(
    "unresolved_pronoun",
    "a gold with a pronoun that nothing before it explains",
    _pronouns,
    needs_language=True,
    kind="series",
)
FOREIGN_WORD = Rule(
    "foreign_word",
    "a gold with a word that neither question, target nor series has",
    _words,
    needs_language=True,
    kind="series",
)
SHORT_TARGET = Rule(
    "short_target",
    "golds that have a part of the target and none the whole",
    _targets,
    needs_language=True,
    kind="series",
)
