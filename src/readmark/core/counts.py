"""Counts with their nouns, and the seconds that work will still take."""

from __future__ import annotations

FIRST_UNITS = 5
"""Units after which a rate predicts anything: the first ones wait for models to load."""


def counted(count: int, noun: str, plural_noun: str | None = None) -> str:
    """A count with its noun; the plural is formed by rule unless it is given."""
    return f"{count:,} {noun if count == 1 else plural_noun or plural(noun)}"


def plural(noun: str) -> str:
    """A noun in the plural; series are the same in both, and ``key of two`` is ``keys of two``."""
    head, of, rest = noun.partition(" of ")
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        head = f"{head[:-1]}ies"
    elif head.endswith(("ch", "sh", "x")):
        head += "es"
    elif not head.endswith("s"):
        head += "s"
    return head + of + rest


def seconds_left(done: int, left: int, rate: float) -> float | None:
    """Seconds that are left at this rate; None if it is too early to say."""
    return left / rate if rate > 0 and (done >= FIRST_UNITS or not left) else None
