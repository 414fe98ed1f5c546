"""Where words and letters end: a stretch of text should cut neither.

Only scripts that set words apart are asked about: Latin, Greek and Cyrillic letters, and digits.
"""

from __future__ import annotations

import re
import unicodedata

from readmark.corpus.values import Offsets

_JOINER = "\u200d"
_LETTER = r"[^\W\d_\u0530-\u1dff\u2000-\uffff\U00010000-\U0010ffff]"
_INSIDE = re.compile(rf"{_LETTER}{{2}}|\d\d")
_IN_A_NUMBER = re.compile(r"\d[.,]\d")


def cuts_word(text: str, at: int) -> bool:
    """Whether a place lies inside a word or a number: 5 does not begin in 1995 or in 2.5."""
    if not 0 < at < len(text):
        return False
    if _INSIDE.match(text, at - 1) is not None:
        return True
    return any(
        _IN_A_NUMBER.match(text, first) is not None for first in (at - 1, at - 2) if first >= 0
    )


def cuts_letter(text: str, at: int) -> bool:
    """Whether a place parts a letter from the marks that belong to it."""
    return 0 < at < len(text) and (is_mark(text[at]) or text[at - 1] == _JOINER)


def is_whole(text: str, span: Offsets) -> bool:
    """Whether a stretch begins and ends where words and letters do."""
    return not any(cuts_letter(text, at) or cuts_word(text, at) for at in span)


def is_mark(sign: str) -> bool:
    """Whether a sign belongs to the letter before it."""
    return sign == _JOINER or unicodedata.category(sign).startswith("M")
