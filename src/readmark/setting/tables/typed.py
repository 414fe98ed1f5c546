"""The type of a question: the key's where it has one, else what the rules tell."""

from __future__ import annotations

from typing import Any

from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.text.question_types import question_type

LANGUAGES = ("en", "zh")


def type_of(test: Test, unit: Unit, *, parallel: str | None = None) -> Any:
    """A question's type or types; None where the key has none and there are no rules for it."""
    said = unit.field("type")
    if said is not None:
        return said
    if test.kind.name != "comprehension" or test.language not in LANGUAGES:
        return None
    return question_type(unit.item.text, test.language, parallel=parallel)
