"""Which type of entity a question asks for, by its question type: a table in a data file."""

from __future__ import annotations

import functools
import json
from importlib.resources import files

from readmark.text.question_types import question_type


def expected_entity(question: str, language: str, *, num: bool = False) -> str | None:
    """PERSON, LOCATION or TIME for who, where and when; NUM for quantities where asked for."""
    found = _table().get(question_type(question, language))
    return None if found == "NUM" and not num else found


@functools.cache
def _table() -> dict[str, str]:
    data = files("readmark.text").joinpath("data/expected_entities.json").read_bytes()
    table: dict[str, str] = json.loads(data)
    return table
