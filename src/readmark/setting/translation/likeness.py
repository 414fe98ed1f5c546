"""Whether two Chinese words say the same, nearly the same or something else, and by what."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from readmark.models.evidence.lexicon import ROW, lexicon
from readmark.text.synonyms import akin, opposite, synonymous, unlike
from readmark.text.wording import question_words

SAME_WITH_CHARACTER = 0.5
"""The cosine from which two words that share a character are synonyms."""
SAME_WITHOUT = 0.8
"""The cosine from which any two are; word vectors bring opposites together too, so it is high."""
SURE = 0.8
"""The strength from which lists or characters tell it; vectors alone do not tell opposites."""
RELATED = 0.5
"""The cosine from which two words speak of related things."""


_SUFFIXES = "子儿头们"
_NUMERALS = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿]+")


class Likeness(NamedTuple):
    """How strongly two words are alike, from 0 to 1, and by what."""

    strength: float
    why: str


def likeness(one: str, other: str) -> Likeness | None:
    """Why two words may stand for each other; None when nothing tells it."""
    if (asked := _asks(one)) and asked == _asks(other):
        return Likeness(1.0, f"both ask {asked}")
    if (why := synonymous(one, other)) is not None:
        return Likeness(0.9, why)
    if unlike(one, other) or _counts_otherwise(one, other):
        return None
    near = cosine(one, other)
    shares = bool(set(one) & set(other))
    if shares and (_bare(one) in other or _bare(other) in one):
        return Likeness(0.8, "one holds the other")
    if shares and near >= SAME_WITH_CHARACTER:
        return Likeness(0.7, f"a character in common, {near:.2f} alike in use")
    if near >= SAME_WITHOUT:
        return Likeness(0.6, f"{near:.2f} alike in use")
    return None


def related(one: str, other: str) -> bool:
    """Whether two words speak of related things.

    Words of known and different meaning do so where they begin alike (农业, 农民); those that end
    alike are two of a kind (父亲, 母亲).
    """
    if opposite(one, other) or _counts_otherwise(one, other):
        return False
    if likeness(one, other) is not None or akin(one, other):
        return True
    if unlike(one, other):
        return one[0] == other[0] and len(one) == len(other) > 1
    return bool(set(one) & set(other)) or cosine(one, other) >= RELATED


def cosine(one: str, other: str) -> float:
    """How alike two words are used, by the evidence model's vectors; 0 when one is unknown."""
    words = lexicon("zh")
    first, second = (int(words.numbers[words.entry(word), ROW]) for word in (one, other))
    if words.unknown in (first, second):
        return 0.0
    return float(words.vectors[first] @ words.vectors[second])


def _counts_otherwise(one: str, other: str) -> bool:
    """Whether both words hold numerals, and different ones: 三月, 五月."""
    first, second = (_NUMERALS.findall(word) for word in (one, other))
    return bool(first) and bool(second) and first != second


def _bare(word: str) -> str:
    """A noun without its suffix: 旗子 is 旗."""
    return word[:-1] if len(word) > 1 and word[-1] in _SUFFIXES else word


@functools.lru_cache(maxsize=10_000)
def _asks(word: str) -> str | None:
    found = question_words(word)
    return found[0][2] if found and found[0][:2] == (0, len(word)) else None
