"""Rules on the labels of a key: a level, a type, abilities, the sentence of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from readmark.comprehension.levels.scale import as_level
from readmark.comprehension.question_rules.page import PassagePage
from readmark.core.question_rules import RuleFinding, RuleSettings
from readmark.core.records import PROPOSED
from readmark.text.questions.abilities import ABILITIES, abilities
from readmark.text.questions.types import TYPES


def no_level(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions without a level, or with one that is not on the scale."""
    if page.hidden:
        return
    levels = settings["levels"]
    for question in page.passage.questions:
        level = question.key.level if question.key is not None else None
        if level is None:
            yield question.id, f"has no level, expected one of {_listed(levels)}"
        elif level not in levels and as_level(level) not in levels:
            yield question.id, f"has the level {level!r}, expected one of {_listed(levels)}"


def no_type(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions whose key has no type."""
    if page.hidden:
        return
    for question, key in page.keyed():
        if key.type is None:
            yield question.id, "has no type; the tables use the type found by the rules"


def unknown_type(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions of a type that is none of the twelve."""
    for question, key in page.keyed():
        if key.type is not None and key.type not in TYPES:
            yield question.id, f"has the type {key.type!r}, expected one of {_listed(TYPES)}"


def unknown_ability(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions with an ability that is none of the eight."""
    for question, key in page.keyed():
        for ability in abilities(key.fields):
            if ability not in ABILITIES:
                message = f"has the ability {ability!r}, expected one of {_listed(ABILITIES)}"
                yield question.id, message


def no_answer_sentence(page: PassagePage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """Questions whose answer sentence nobody has marked or confirmed."""
    if page.hidden:
        return
    for question in page.passage.questions:
        key = question.key
        if key is None or not (key.sentences or key.unanswerable):
            yield question.id, "no sentence of the passage is marked as its answer"
        elif key.sentences and "sentences" in key.fields.get(PROPOSED, ()):
            yield question.id, "its answer sentence is a proposal that nobody has confirmed"


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
