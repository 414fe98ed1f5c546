"""White space in annotated text: which of it is the text's own, and where Chinese words end.

English: white space of any length is one space; where tags stand in it, none before closing and
none after opening punctuation. Chinese: white space beside a Han character, Chinese punctuation
or a full-width sign only separates words; between Latin letters and digits it is as in English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from readmark.corpus.values import Offsets

SPACE = " \t\n\r\f\v"
"""What the notation takes for white space; any other is a character of the text."""
BLANK_LINE = re.compile(r"\n[ \t\r\f\v]*+\n")

_CLOSING = frozenset(",.;:!?%)]}’”»…")
_OPENING = frozenset("([{‘“«")
_ENDS = frozenset(".!?…。！？：:；;\"'”’」』）)】》")
_CHINESE = re.compile(
    "[\u2e80-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003347f]"
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]")
_WITHIN_NAMES = frozenset("·‧・•%‰")
_WITHIN_LATIN = frozenset(".,-‐'’:/@_&")


def is_han(sign: str) -> bool:
    """Whether a character is a Han character."""
    return _HAN.match(sign) is not None


def separates(before: str, after: str, language: str) -> bool:
    """Whether white space between two characters only separates words of a Chinese text."""
    return language == "zh" and bool(_CHINESE.match(before) or _CHINESE.match(after))


def is_kept(before: str, after: str, language: str, *, beside_tag: bool) -> bool:
    """Whether white space between two characters is a space of the text."""
    if separates(before, after, language):
        return False
    return not (beside_tag and (after in _CLOSING or before in _OPENING))


def ends_a_paragraph(before: str) -> bool:
    """Whether a blank line after this character ends a paragraph; any other is typesetting."""
    return before in _ENDS


def words(text: str, edges: frozenset[int]) -> tuple[Offsets, ...]:
    """The words of a text that end at these edges, at white space and at punctuation."""
    return tuple(_words(text, edges))


def _words(text: str, edges: frozenset[int]) -> Iterator[Offsets]:
    start = 0
    mark = ""
    for at, sign in enumerate(text):
        now = sign if is_mark(text, at) else ""
        if sign.isspace() or at in edges or now != mark:  # a run of one mark, such as ……, is one
            if start < at:
                yield start, at
            start = at + 1 if sign.isspace() else at
        mark = now
    if start < len(text):
        yield start, len(text)


def is_mark(text: str, at: int) -> bool:
    """Whether punctuation stands there that is no part of a word, as in 3.3% or 托马斯‧爱迪生."""
    sign = text[at]
    if sign.isalnum() or sign in _WITHIN_NAMES or unicodedata.category(sign)[0] != "P":
        return False
    return not (
        sign in _WITHIN_LATIN
        and 0 < at < len(text) - 1
        and all(one.isalnum() and not _CHINESE.match(one) for one in (text[at - 1], text[at + 1]))
    )
