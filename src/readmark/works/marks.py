"""What people say of a mark in a text: its attributes, and lines to other marks."""

from __future__ import annotations

from typing import Literal

from readmark.core.records import Value

Text = str | dict[str, str]
"""A text, or texts by language."""


class MarkAttribute(Value, frozen=True):
    """Something that an annotator chooses or types for a mark, or that its words say."""

    type: Literal["integer", "number", "boolean", "date", "string", "name", "flag"] = "string"
    """A name is a class, a property or an entity; a flag is there or not."""
    words: bool = False
    """Whether the marked words say the value unless the annotator gives another."""
    choices: tuple[str | int | float, ...] | dict[str, Text] = ()
    """The values there are, perhaps with their labels."""
    default: str | int | float | bool | None = None
    optional: bool = False
    label: Text = ""
    guideline: Text = ""

    @property
    def required(self) -> bool:
        """Whether every mark has a value."""
        return not self.optional and self.default is None and self.type != "flag"


class MarkRelation(Value, frozen=True):
    """A line that an annotator draws from a mark to a mark of another category."""

    to: str | tuple[str, ...]
    optional: bool = False
    label: Text = ""
    guideline: Text = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """The categories that it may lead to."""
        return (self.to,) if isinstance(self.to, str) else self.to
