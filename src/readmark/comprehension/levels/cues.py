"""The closed-class words behind the levels of questions: pronouns, causes, times, comparisons."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Cues:
    """What a language says reasoning with.

    ``asks_cause``, ``asks_time`` and ``asks_comparison`` are narrower than the classes of
    ``text.questions``: levels were measured with these patterns.
    """

    closed: frozenset[str]
    """Tokens (characters in Chinese) that may differ where wording counts as the same."""
    pronoun: re.Pattern[str]
    first_person: re.Pattern[str]
    nominal: re.Pattern[str]
    """A determiner with its noun; bare nouns are left to the reader of the question."""
    asks_cause: re.Pattern[str]
    marks_cause: re.Pattern[str]
    carries_cause: re.Pattern[str]
    """A question that brings its connective along asks for no link to be inferred."""
    asks_time: re.Pattern[str]
    relative_time: re.Pattern[str]
    time_reference: re.Pattern[str]
    time: re.Pattern[str]
    asks_difference: re.Pattern[str]
    """A question for how much more, earlier or farther: a value to be worked out."""
    states_difference: re.Pattern[str]
    asks_comparison: re.Pattern[str]
    states_comparison: re.Pattern[str]
    membership: re.Pattern[str]
    """What comes between a thing and the class that it is put in."""
    scene_begins: re.Pattern[str]
    """What a clause that only sets the scene begins with."""
    scene_ends: re.Pattern[str]


@functools.cache
def cues(language: str) -> Cues:
    """The table of a language, ``zh`` or ``en``."""
    path = files("readmark.text") / "data" / f"levels.{language}.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    closed = frozenset(table.pop("closed").split())
    patterns = {name: re.compile(pattern) for name, pattern in table.items()}
    return Cues(closed=closed, **patterns)
