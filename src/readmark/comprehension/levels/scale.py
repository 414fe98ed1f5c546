"""The four levels of "SMART: A Stratified Machine Reading Test", and the reasons that make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

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

LEVEL_BY = "level_by"
"""The field of a question's key that says who gave its level."""


def level_of(reasons: Iterable[str]) -> int:
    """The level that reasons make: one type of reasoning is level 3, several are level 4."""
    distinct = set(reasons)
    types = {TYPES[reason] for reason in distinct & TYPES.keys()}
    if types:
        return 3 if len(types) == 1 else 4
    return 2 if distinct & set(WORDING) else 1


def is_by_rules(by: str) -> bool:
    """Whether a level was given by Readmark's rules, of whatever version."""
    return by.startswith("readmark-levels")


def as_level(value: object) -> int | None:
    """A level that a file holds, as a number or in a string; None for anything else."""
    if isinstance(value, str) and value.strip() in {str(level) for level in LEVELS}:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value in LEVELS:
        return value
    return None


@dataclass(frozen=True, slots=True)
class LevelMention:
    """The word or gap that a reference is made by, and what it stands for."""

    reason: str
    text: str
    """As the passage spells it; empty if nothing is written."""
    start: int
    end: int
    stands_for: str
    """The name, if the text shows which it is; else empty."""
    antecedent: Offsets | None = None
    """Where the passage has that name, last before the mention."""
    before: str = ""
    """The verb or noun in front of which a name is left out."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Levelled:
    """A question's level, the reasons behind it, the sentences used, and why in words.

    ``level`` is None if there is nothing to judge; ``why`` then says what is missing.
    """

    level: int | None
    reasons: tuple[str, ...] = ()
    sentences: tuple[Offsets, ...] = ()
    why: str = ""
    mentions: tuple[LevelMention, ...] = ()
