"""Rules on labels: a level 1 to 4, one of the twelve types, a marked answer sentence."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.setting.levels.labels import as_level
from readmark.setting.question_rules.rule import Page, Rule, Said, Settings
from readmark.text.question_types import TYPES


def _no_level(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    levels = settings["levels"]
    for question in page.passage.questions:
        level = question.key.level if question.key is not None else None
        if level is None:
            yield question.id, f"has no level, expected one of {_listed(levels)}"
        elif level not in levels and as_level(level) not in levels:
            yield question.id, f"has the level {level!r}, expected one of {_listed(levels)}"


def _unknown_type(page: Page, settings: Settings) -> Iterator[Said]:
    for question, key in page.keyed():
        if key.type is not None and key.type not in TYPES:
            yield question.id, f"has the type {key.type!r}, expected one of {_listed(TYPES)}"


def _no_type(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    for question, key in page.keyed():
        if key.type is None:
            yield question.id, "has no type; in the tables the rules tell it"


def _no_answer_sentence(page: Page, settings: Settings) -> Iterator[Said]:
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.sentences or key.unanswerable):
            yield question.id, "no sentence of the passage is marked as its answer"


def _listed(values: object) -> str:
    return ", ".join(map(str, values))  # type: ignore[call-overload]


NO_LEVEL = Rule("no_level", "a question without a level", _no_level, {"levels": [1, 2, 3, 4]})
UNKNOWN_TYPE = Rule("unknown_type", "a type that is none of the twelve", _unknown_type)
NO_TYPE = Rule("no_type", "a question whose key has no type", _no_type)
NO_ANSWER_SENTENCE = Rule(
    "no_answer_sentence", "a question whose answer sentence is not marked", _no_answer_sentence
)
