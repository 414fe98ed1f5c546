"""Pronouns of the third person and words that point back, in both languages."""

from __future__ import annotations

from collections.abc import Iterable

from readmark.text.wording import listed
from readmark.text.words import words

_ENGLISH = """
he him his himself she her hers herself it its itself they them their theirs themselves
this these those
"""
_HERS = {
    "he him his himself": "他",
    "she her hers herself": "她",
    "it its itself": "它",
    "they them their theirs themselves": "他们 她们 它们",
}
"""English pronouns with the Chinese ones that say the same."""


def english_pronouns(text: str) -> list[str]:
    """The pronouns of an English text that refer to somebody or something named elsewhere."""
    return [word for word in words(text, "en") if word in _ENGLISH.split()]


def chinese_pronouns(tokens: Iterable[str]) -> list[str]:
    """The pronouns of the third person among Chinese words."""
    return [word for word in tokens if word in listed("pronouns")]


def demonstratives(tokens: Iterable[str]) -> list[str]:
    """The words among Chinese ones that point back with a noun after them: 该公司."""
    return [word for word in tokens if word in listed("demonstratives")]


def says(pronoun: str, chinese: str) -> bool:
    """Whether an English pronoun and a Chinese one agree in person and number."""
    return any(
        pronoun in english.split() and chinese.rstrip("的").removesuffix("自己") in mine.split()
        for english, mine in _HERS.items()
    )
