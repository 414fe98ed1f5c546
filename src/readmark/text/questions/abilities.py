"""What a question needs of a reader: the abilities that keys may name.

They are those that the introduction of "Design and Development of a Bilingual Reading Comprehension
Corpus" lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
"""Each with its guideline."""
ABILITY = "ability"
"""The member of a key's ``fields`` that names one or several."""


def abilities(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The abilities that a key's fields name."""
    names = fields.get(ABILITY) or ()
    return (names,) if isinstance(names, str) else tuple(map(str, names))
