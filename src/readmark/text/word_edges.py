"""Where words and letters end: a stretch of text should cut neither."""

from __future__ import annotations

import re
import unicodedata

from readmark.core.records import Offsets

_ZERO_WIDTH_JOINER = "\u200d"
_LETTER = r"[^\W\d_\u0530-\u1dff\u2000-\uffff\U00010000-\U0010ffff]"
"""A letter of a script that puts spaces between words: Latin, Greek or Cyrillic."""
_INSIDE = re.compile(rf"{_LETTER}{{2}}|\d\d")
_INSIDE_NUMBER = re.compile(r"\d[.,]\d")


def cuts_word(text: str, index: int) -> bool:
    """Whether a place lies inside a word or a number: 5 does not begin in 1995 or in 2.5."""
    if not 0 < index < len(text):
        return False
    if _INSIDE.match(text, index - 1) is not None:
        return True
    return any(
        _INSIDE_NUMBER.match(text, first) is not None
        for first in (index - 1, index - 2)
        if first >= 0
    )


def cuts_letter(text: str, index: int) -> bool:
    """Whether a place parts a letter from the marks that belong to it."""
    return 0 < index < len(text) and (is_mark(text[index]) or text[index - 1] == _ZERO_WIDTH_JOINER)


def is_whole(text: str, span: Offsets) -> bool:
    """Whether a stretch begins and ends where words and letters do."""
    return not any(cuts_letter(text, edge) or cuts_word(text, edge) for edge in span)


def is_mark(character: str) -> bool:
    """Whether a character belongs to the letter before it."""
    return character == _ZERO_WIDTH_JOINER or unicodedata.category(character).startswith("M")
