"""The closed-class words behind the levels of questions: pronouns, causes, times, comparisons.

English and Chinese have a table each (``data/levels.*.toml``); patterns are for folded text:
simplified characters, small letters.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Cues:
    """What a language says reasoning with."""

    closed: frozenset[str]
    """Tokens (characters in Chinese) that may differ where wording counts as the same."""
    pronoun: Pattern
    first_person: Pattern
    nominal: Pattern
    """A determiner with its noun; bare nouns are for the reader of the question to tell."""
    asks_cause: Pattern
    marks_cause: Pattern
    carries_cause: Pattern
    """A question that brings its connective along asks for no link to be inferred."""
    asks_time: Pattern
    relative_time: Pattern
    time_reference: Pattern
    time: Pattern
    asks_comparison: Pattern
    states_comparison: Pattern
    membership: Pattern
    """What stands between a thing and the class that it is put in."""
    scene_begins: Pattern
    """What a clause that only sets the scene begins with."""
    scene_ends: Pattern
    question_word: Pattern
    quantity: frozenset[str]
    """Measure words and their like, between a question word and its noun."""


@functools.cache
def cues(language: str) -> Cues:
    """The table of a language, ``zh`` or ``en``."""
    path = files("readmark.text") / "data" / f"levels.{language}.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    closed, quantity = (frozenset(table.pop(name).split()) for name in ("closed", "quantity"))
    patterns = {name: re.compile(pattern) for name, pattern in table.items()}
    return Cues(closed=closed, quantity=quantity, **patterns)
