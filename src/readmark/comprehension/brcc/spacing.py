"""White space in annotated text: which of it is the text's own, and where Chinese words end."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from readmark.core.records import Offsets

SPACE = " \t\n\r\f\v"
"""What the notation takes for white space; any other is a character of the text."""
BLANK_LINE = re.compile(r"\n[ \t\r\f\v]*+\n")

_CLOSING = frozenset(",.;:!?%)]}’”»…")
_OPENING = frozenset("([{‘“«")
_ENDS = frozenset(".!?…。！？：:；;\"'”’」』）)】》")
_CHINESE = re.compile(
    "[\u2e80-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003347f]"
)
_WITHIN_NAMES = frozenset("·‧・•%‰")
_WITHIN_LATIN = frozenset(".,-‐'’:/@_&")


def separates(before: str, after: str, language: str) -> bool:
    """Whether white space between two characters only separates words of a Chinese text."""
    return language == "zh" and bool(_CHINESE.match(before) or _CHINESE.match(after))


def is_text_space(before: str, after: str, language: str, *, next_to_tag: bool) -> bool:
    """Whether white space between two characters is a space of the text.

    Between a tag and a mark that closes or opens it only sets the tag off: ``</NP> ,``.
    """
    if separates(before, after, language):
        return False
    return not (next_to_tag and (after in _CLOSING or before in _OPENING))


def ends_a_paragraph(before: str) -> bool:
    """Whether a blank line after this character ends a paragraph; any other is typesetting."""
    return before in _ENDS


def words(text: str, edges: frozenset[int]) -> Iterator[Offsets]:
    """The words of a text that end at these edges, at white space and at punctuation."""
    start = 0
    last_mark = ""
    for index, sign in enumerate(text):
        mark = sign if is_mark(text, index) else ""
        # A run of one mark, such as ……, is one word.
        if sign.isspace() or index in edges or mark != last_mark:
            if start < index:
                yield start, index
            start = index + 1 if sign.isspace() else index
        last_mark = mark
    if start < len(text):
        yield start, len(text)


def is_mark(text: str, index: int) -> bool:
    """Whether a character is punctuation outside a word, unlike in 3.3% or 托马斯‧爱迪生."""
    sign = text[index]
    if sign.isalnum() or sign in _WITHIN_NAMES or unicodedata.category(sign)[0] != "P":
        return False
    is_within_latin = (
        sign in _WITHIN_LATIN
        and 0 < index < len(text) - 1
        and all(
            neighbour.isalnum() and not _CHINESE.match(neighbour)
            for neighbour in (text[index - 1], text[index + 1])
        )
    )
    return not is_within_latin
