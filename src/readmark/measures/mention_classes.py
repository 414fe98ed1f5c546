"""How alike two entities are by the words they are called by: their equivalence classes.

"These classes (sets of referenced strings) are matched against the gold standard, allowing for
partial credit" ("The DARPA Machine Reading Program", section 3.3).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from readmark.text.simplified import simplified

CREDITS = ("partial", "any", "none")
"""Dice's coefficient of the two classes; 1 when they share a mention; only names count."""


def mention_class(mentions: Iterable[str]) -> frozenset[str]:
    """The distinct mentions, whatever their case, spacing, width, accents' coding and script."""
    return frozenset(one for one in map(_folded, mentions) if one)


def _folded(mention: str) -> str:
    same = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", mention).casefold())
    return " ".join(same.split()) if same.isascii() else " ".join(simplified(same).split())


def class_likeness(a: frozenset[str], b: frozenset[str], credit: str) -> float:
    """0 to 1; classes without mentions are like none."""
    shared = len(a & b)
    if not shared or credit == "none":
        return 0.0
    return 1.0 if credit == "any" else 2 * shared / (len(a) + len(b))
