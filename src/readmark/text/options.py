"""Which option of a multiple-choice question an answer means: by its words, else by its letter."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from readmark.text.folding import folded_with_places

RULES = "options-1"
"""The version of these rules, for signatures."""

_NUMERALS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_MARKED = re.compile(
    r"[\s(（\[【]*(?:(?:option|choice|answer)\s+|(?:答案|选项|选)\s*[是为]?\s*[:：]?\s*)?[(（\[【]?"
    rf"([A-Za-zＡ-Ｚａ-ｚ{_CIRCLED}{_NUMERALS}])"
    r"\s*(?:$|[)）\]】.．。、:：,，]+\s*(.*)$)",
    re.IGNORECASE | re.DOTALL,
)


def options_meant(said: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option that is meant, several only where their texts are equal.

    A text that is no option may be a letter, ① or 一, with or without the option's words after
    it. Nothing comes back for what is neither, or contradicts itself.
    """
    same = options_worded(said, options)
    if same:
        return same
    marked = _MARKED.match(said)
    if marked is None:
        return ()
    at = _place(marked[1])
    if at >= len(options):
        return ()
    rest = options_worded(marked[2] or "", options)
    return (at,) if not rest or at in rest else ()


def options_worded(said: str, options: Sequence[str]) -> tuple[int, ...]:
    """The places of the option whose words these are, whatever order the options are in."""
    plain = said.strip()
    if not plain:
        return ()
    exact = tuple(at for at, one in enumerate(options) if one.strip() == plain)
    if exact:
        return exact
    sought = _spelt(plain)
    same = tuple(at for at, one in enumerate(options) if sought and _spelt(one) == sought)
    # Options that differ in no more than their punctuation are told apart by it alone.
    return same if len({options[at].strip() for at in same}) == 1 else ()


def _place(mark: str) -> int:
    for row in (_CIRCLED, _NUMERALS):
        if mark in row:
            return row.index(mark)
    return ord(unicodedata.normalize("NFKC", mark).upper()) - ord("A")


@functools.lru_cache(maxsize=2**14)
def _spelt(text: str) -> str:
    return folded_with_places(text)[0]
