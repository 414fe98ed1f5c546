"""The four levels of "SMART: A Stratified Machine Reading Test", and what makes a level."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.resources import files

from readmark.core.records import Offsets

LEVELS = (1, 2, 3, 4)
TYPES: dict[str, str] = {
    "pronoun": "reference",
    "zero_pronoun": "reference",
    "nominal_reference": "reference",
    "temporal": "temporal",
    "causal": "causal",
    "multi_sentence": "multi_sentence",
    "comparison": "comparison",
}
"""The type of reasoning behind each reason that makes level 3 or 4; three of them are one type."""

WORDING = ("paraphrase", "reorder")
REASONS = ("match", *WORDING, *TYPES)
"""Every reason, from the easiest; ``multi_sentence`` and ``comparison`` are not the document's."""


def level_of(reasons: Iterable[str]) -> int:
    """The level that reasons make: one type of reasoning is level 3, several are level 4."""
    given = set(reasons)
    types = {TYPES[reason] for reason in given & TYPES.keys()}
    if types:
        return 3 if len(types) == 1 else 4
    return 2 if given & set(WORDING) else 1


LEVEL_BY = "level_by"
"""The field of a question's key that says who gave its level."""


def is_by_rules(by: str) -> bool:
    """Whether a level was given by Readmark's rules, of whatever version."""
    return by.startswith("readmark-levels")


def as_level(value: object) -> int | None:
    """A level that a file holds, as a number or in a string; None for anything else."""
    if isinstance(value, str) and value.strip() in {str(level) for level in LEVELS}:
        return int(value)
    known = isinstance(value, int) and not isinstance(value, bool) and value in LEVELS
    return value if known and isinstance(value, int) else None


@dataclass(frozen=True, slots=True)
class LevelMention:
    """The word or gap that a reference is made by, and what it stands for."""

    reason: str
    text: str
    """As the passage spells it; empty where nothing is written."""
    start: int
    end: int
    stands_for: str
    """The name, where the text shows which it is; else empty."""
    antecedent: Offsets | None = None
    """Where the passage has that name, last before the mention."""
    before: str = ""
    """The verb or noun in front of which a name is left out."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Levelled:
    """A question's level, the reasons behind it, the sentences used, and why in words.

    ``level`` is None where there is nothing to judge; ``why`` then says what is missing.
    """

    level: int | None
    reasons: tuple[str, ...] = ()
    sentences: tuple[Offsets, ...] = ()
    why: str = ""
    mentions: tuple[LevelMention, ...] = ()


# The closed-class words behind the levels of questions: pronouns, causes, times, comparisons.


CuePattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Cues:
    """What a language says reasoning with.

    ``asks_cause``, ``asks_time`` and ``asks_comparison`` are narrower than the classes of
    ``text.questions``: levels were measured with these patterns.
    """

    closed: frozenset[str]
    """Tokens (characters in Chinese) that may differ where wording counts as the same."""
    pronoun: CuePattern
    first_person: CuePattern
    nominal: CuePattern
    """A determiner with its noun; bare nouns are left to the reader of the question."""
    asks_cause: CuePattern
    marks_cause: CuePattern
    carries_cause: CuePattern
    """A question that brings its connective along asks for no link to be inferred."""
    asks_time: CuePattern
    relative_time: CuePattern
    time_reference: CuePattern
    time: CuePattern
    asks_difference: CuePattern
    """A question for how much more, earlier or farther: a value to be worked out."""
    states_difference: CuePattern
    asks_comparison: CuePattern
    states_comparison: CuePattern
    membership: CuePattern
    """What comes between a thing and the class that it is put in."""
    scene_begins: CuePattern
    """What a clause that only sets the scene begins with."""
    scene_ends: CuePattern


@functools.cache
def cues(language: str) -> Cues:
    """The table of a language, ``zh`` or ``en``."""
    path = files("readmark.text") / "data" / f"levels.{language}.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    closed = frozenset(table.pop("closed").split())
    patterns = {name: re.compile(pattern) for name, pattern in table.items()}
    return Cues(closed=closed, **patterns)
