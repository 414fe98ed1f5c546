"""Pronouns of the third person and words that point back, in both languages."""

from __future__ import annotations

from collections.abc import Iterable

from readmark.text.wording import word_list
from readmark.text.words import words

_CHINESE = {
    "he him his himself": "他",
    "she her hers herself": "她",
    "it its itself": "它",
    "they them their theirs themselves": "他们 她们 它们",
}
"""English pronouns with the Chinese ones that say the same."""
_POINTING_BACK = {form for forms in _CHINESE for form in forms.split()} | {"this", "these", "those"}


def english_pronouns(text: str) -> list[str]:
    """The pronouns of an English text that refer to somebody or something named elsewhere."""
    return [word for word in words(text, "en") if word in _POINTING_BACK]


def chinese_pronouns(tokens: Iterable[str]) -> list[str]:
    """The pronouns of the third person among Chinese words."""
    return [word for word in tokens if word in word_list("pronouns")]


def demonstratives(tokens: Iterable[str]) -> list[str]:
    """The words among Chinese ones that point back with a noun after them: 该公司."""
    return [word for word in tokens if word in word_list("demonstratives")]


def pronouns_agree(english: str, chinese: str) -> bool:
    """Whether an English pronoun and a Chinese one agree in person and number."""
    bare = chinese.rstrip("的").removesuffix("自己")
    return any(
        english in english_forms.split() and bare in chinese_forms.split()
        for english_forms, chinese_forms in _CHINESE.items()
    )
