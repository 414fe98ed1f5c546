"""The twelve types of question of "Design and Development of a Bilingual Reading Comprehension
Corpus" (Table 5), by the wh-word and what is asked for, with plain rules and word lists.
"""

from __future__ import annotations

import functools
import json
from importlib.resources import files

from readmark.core.language import primary
from readmark.text.questions import chinese, english

RULES = "rules-2"
RULED = ("en", "zh")
"""The languages with rules."""

TYPES = (
    "Who",
    "What-DEF",
    "What-VP",
    "What-NP",
    "What-OTH",
    "Which",
    "When",
    "Where",
    "Why",
    "Yes/No",
    "How",
    "Others",
)
"""As Table 5 spells and orders them."""


def question_type(question: str, language: str, *, parallel: str | None = None) -> str:
    """One of the twelve types; a parallel English question decides, as in the document.

    What is not Chinese goes by the English rules; text without any letter is "Others".
    """
    if parallel is not None and parallel.strip():
        return english.question_type(parallel)
    if primary(language) == "zh":
        return chinese.question_type(question)
    return english.question_type(question)


def wh_word(question: str, language: str) -> str | None:
    """The word that makes it a question (who, 哪里); None for yes/no and for requests."""
    if primary(language) == "zh":
        return chinese.wh_word(question)
    return english.wh_word(question)


def expected_entity(question: str, language: str, *, num: bool = False) -> str | None:
    """PERSON, LOCATION or TIME for who, where and when; NUM for quantities where asked for.

    The document filters by the first three (section 5), and lists all four in Table 7.
    """
    entity = _expected_entities().get(question_type(question, language))
    return None if entity == "NUM" and not num else entity


@functools.cache
def _expected_entities() -> dict[str, str]:
    data = files("readmark.text").joinpath("data/expected_entities.json").read_bytes()
    entities: dict[str, str] = json.loads(data)
    return entities
