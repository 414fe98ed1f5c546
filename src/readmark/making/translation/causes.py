"""The causes of mismatches between two translations, and what is suggested of one.

"Design and Development of a Bilingual Reading Comprehension Corpus", 4.1, counts five of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from readmark.settling import ChosenSide

Side = Literal["a", "b"]
Cause = Literal["synonym", "equivalent_description", "voice", "anaphora", "different_meaning"]
CAUSES: tuple[Cause, ...] = (
    "synonym",
    "equivalent_description",
    "voice",
    "anaphora",
    "different_meaning",
)
"""In the document's order."""
Confidence = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is suggested of a mismatch: a cause, how sure it is, why, and what to adopt."""

    cause: Cause
    confidence: Confidence
    why: str
    marked: Side | None = None
    """Which translation has the passive mark or the pronoun."""
    nearer: Side | None = None
    """Which agrees with the English, where a contradiction shows that."""
    adopt: ChosenSide | None = None
    """The version to adopt; None until it is chosen, or where nothing speaks for either."""


def other_side(side: str) -> Side:
    """The other translation."""
    return "b" if side == "a" else "a"


def listed(words: Iterable[str]) -> str:
    """Words as a reason names them."""
    return " ".join(words) or "nothing"
