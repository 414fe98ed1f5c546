"""Whether two Chinese words say the same, nearly the same or something else, and what shows it."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from readmark.core.numbers import decimal
from readmark.text.questions.same_question import question_words
from readmark.text.synonyms import akin, opposite, synonymous, unlike
from readmark.text.word_vectors import ROW, lexicon

SAME_WITH_CHARACTER = 0.5
"""The cosine from which two words that share a character are synonyms."""
SAME_WITHOUT = 0.8
"""The cosine from which any two are; word vectors bring opposites together too, so it is high."""
SURE = 0.8
"""The strength of lists or characters; vectors alone do not distinguish opposites."""
RELATED = 0.5
"""The cosine from which two words speak of related things."""

_SUFFIXES = "子儿头们"
_NUMERALS = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿]+")


class WordSimilarity(NamedTuple):
    """How strongly two words are alike, from 0 to 1, and by what."""

    strength: float
    why: str


def word_similarity(first: str, second: str) -> WordSimilarity | None:
    """Why two words may stand for each other; None when nothing shows it."""
    if (question := _question(first)) and question == _question(second):
        return WordSimilarity(1.0, f"both ask {question}")
    if (why := synonymous(first, second)) is not None:
        return WordSimilarity(0.9, why)
    if unlike(first, second) or _have_different_numerals(first, second):
        return None
    similarity = cosine(first, second)
    share_character = bool(set(first) & set(second))
    if share_character and (_without_suffix(first) in second or _without_suffix(second) in first):
        return WordSimilarity(0.8, "one holds the other")
    if share_character and similarity >= SAME_WITH_CHARACTER:
        return WordSimilarity(0.7, f"a character in common, {decimal(similarity)} alike in use")
    if similarity >= SAME_WITHOUT:
        return WordSimilarity(0.6, f"{decimal(similarity)} alike in use")
    return None


def related(first: str, second: str) -> bool:
    """Whether two words speak of related things.

    Words of known and different meaning do so where they begin alike (农业, 农民); those that end
    alike are two of a kind (父亲, 母亲).
    """
    if opposite(first, second) or _have_different_numerals(first, second):
        return False
    if word_similarity(first, second) is not None or akin(first, second):
        return True
    if unlike(first, second):
        return first[0] == second[0] and len(first) == len(second) > 1
    return bool(set(first) & set(second)) or cosine(first, second) >= RELATED


def cosine(left: str, right: str) -> float:
    """How alike two words are used, by the evidence model's vectors; 0 when one is unknown."""
    words = lexicon("zh")
    first, second = (int(words.numbers[words.entry(word), ROW]) for word in (left, right))
    if words.unknown in (first, second):
        return 0.0
    return float(words.vectors[first] @ words.vectors[second])


def _have_different_numerals(first: str, second: str) -> bool:
    """Whether both words hold numerals, and different ones: 三月, 五月."""
    left, right = (_NUMERALS.findall(word) for word in (first, second))
    return bool(left) and bool(right) and left != right


def _without_suffix(word: str) -> str:
    """A noun without its suffix: 旗子 is 旗."""
    return word[:-1] if len(word) > 1 and word[-1] in _SUFFIXES else word


@functools.lru_cache(maxsize=10_000)
def _question(word: str) -> str | None:
    """What a word asks for, if all of it is a question word."""
    matches = question_words(word)
    return matches[0][2] if matches and matches[0][:2] == (0, len(word)) else None
