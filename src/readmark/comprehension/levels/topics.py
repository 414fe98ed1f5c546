"""What a question is about: the name or noun that the passage has, too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuestionTopic:
    """A run of a question's tokens that occurs in the passage or its title."""

    keys: tuple[str, ...]
    spelt: str
    strong: bool
    """A name, or what the passage itself is about: leaving it out is a reference."""
    name: bool = False
    """Quoted, or a name by its tag or its capital."""
    tail: int = 0
    """How many of its last tokens are a common noun (公园 of 青山公园)."""
    thing: bool = False
    """A title or a place: nobody that 他 could stand for."""
