"""Whether a passage can be rated at all, and if not, why."""

from __future__ import annotations

import re

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff5a]")
_NAMES = {"en": "English", "zh": "Chinese"}


def unratable(text: str, language: str) -> str | None:
    """Why a text of a language has no rating; None if it may have one."""
    if not text.strip():
        return "the text is empty"
    letters = len(_LETTER.findall(text))
    if not letters:
        return "the text has no word"
    if language == "en" and len(_LATIN.findall(text)) * 2 < letters:
        return "most of its letters are not Latin, and English was expected"
    return None


def without_words(language: str) -> str:
    """The reason for a text in which the measures find nothing to count."""
    return f"the text has no {_NAMES.get(language, language)} word"
