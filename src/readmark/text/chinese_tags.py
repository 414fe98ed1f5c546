"""The tags of Chinese words, jieba's and LAC's, and the universal part of speech of each."""

from __future__ import annotations

import functools
import unicodedata
from importlib.resources import files
from types import MappingProxyType


def _table() -> dict[str, str]:
    text = (files("readmark.text") / "data" / "tags.zh.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return {tag: pos for tag, pos, _ in rows}


TAGS = MappingProxyType(_table())
"""Universal parts of speech by tag, as in the data file."""

_PLURAL = frozenset({"们", "們"})
"""Cut off, it is still the end of a noun: 学者 and 们."""
_PERCENT = frozenset("%％‰")


@functools.lru_cache(maxsize=1 << 16)
def coarse(tag: str, word: str) -> str:
    """The universal part of speech of a word by its tag, else by its characters."""
    if word in _PLURAL:
        return "NOUN"
    if tag in ("x", "w"):  # punctuation, and whatever the dictionary does not have
        return _by_characters(word)
    if tag == "eng" and word[:1].isupper():
        return "PROPN"
    return TAGS.get(tag, "X")


def _by_characters(word: str) -> str:
    """A part of speech by Unicode's categories: punctuation, symbols or numbers."""
    categories = {unicodedata.category(character)[0] for character in word}
    if word in _PERCENT:
        return "SYM"
    if categories == {"P"}:
        return "PUNCT"
    if categories <= {"S", "P"}:
        return "SYM"
    return "NUM" if categories <= {"N", "P"} else "X"
