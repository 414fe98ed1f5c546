"""The twelve types of question of "Design and Development of a Bilingual Reading Comprehension
Corpus" (Table 5), by the wh-word and what is asked for, with plain rules and word lists.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

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


ABILITIES = {
    "frame": "the question and its answer have the same predicate, subject and object",
    "ontology": "a synonym, an antonym, a part, a cause, a feeling or another wording is needed",
    "context": "two sentences or more of the passage must be combined",
    "summary": "the answer is the point of the whole passage",
    "calculation": "the answer is counted or calculated",
    "anaphora": "a pronoun or another reference must be resolved",
    "named_entity": "a person, time, place or number must be recognised",
    "definition": "the answer follows a pattern of definitions",
}
"""What a question needs of a reader, as the document's introduction lists it, with guidelines."""
ABILITY = "ability"
"""The member of a key's ``fields`` that names one or several."""


def abilities(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The abilities that a key's fields name."""
    named = fields.get(ABILITY) or ()
    return (named,) if isinstance(named, str) else tuple(map(str, named))


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


# Which type of entity a question asks for, by its question type: a table in a data file.


def expected_entity(question: str, language: str, *, num: bool = False) -> str | None:
    """PERSON, LOCATION or TIME for who, where and when; NUM for quantities where asked for."""
    found = _table().get(question_type(question, language))
    return None if found == "NUM" and not num else found


@functools.cache
def _table() -> dict[str, str]:
    data = files("readmark.text").joinpath("data/expected_entities.json").read_bytes()
    table: dict[str, str] = json.loads(data)
    return table
