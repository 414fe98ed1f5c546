"""The four levels of "SMART: A Stratified Machine Reading Test", and what makes a level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from readmark.corpus.values import Offsets

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


@dataclass(frozen=True, slots=True)
class Levelled:
    """A question's level, the reasons behind it, the sentences used, and why in words.

    ``level`` is None where there is nothing to judge; ``why`` then says what is missing.
    """

    level: int | None
    reasons: tuple[str, ...] = ()
    sentences: tuple[Offsets, ...] = ()
    why: str = ""
