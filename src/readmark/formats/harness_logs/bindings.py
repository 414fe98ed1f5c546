"""What an exported question says of itself, and a log repeats: its paper and its prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from readmark.core.records import Value

MEMBER = "readmark"
"""Where an exported question holds its binding, and a log repeats it."""


class Binding(Value, frozen=True):
    """Which paper a question is of, which prompt asked it, and the word for no answer."""

    paper: str
    units: int = 0
    prompt: str = ""
    none: str = ""
    examples: str = ""
    """Which examples were shown before the question, where there were any."""

    def as_json(self) -> dict[str, Any]:
        """Every member, since tables of a harness want the same columns in each row."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def binding_of(owner: object) -> Binding | None:
    """The binding that a logged question holds, if Readmark exported it."""
    if not isinstance(owner, Mapping):
        return None
    try:
        return msgspec.convert(owner.get(MEMBER), Binding)
    except msgspec.ValidationError:
        return None
