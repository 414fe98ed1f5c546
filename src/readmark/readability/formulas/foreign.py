"""Texts that are neither English nor Chinese, told by their letters and commonest words.

A formula gives a number for any text, and for a third language it would mean nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from readmark.core.language import language_of

ENOUGH = 20
"""Words that a text must have before its words say anything of its language."""
LEAST = 0.03
"""The least share of these function words in an English text. The poorest of the 3,766 excerpts of
the CLEAR corpus has 0.09, a bare list of names 0.035; other languages have next to none."""
SYLLABIC = 0.2
"""The share of kana or hangul that a Chinese text stays under; Japanese has a third or more."""

_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\u2c60-\u2c7f\uff21-\uff5a]")
_IDEOGRAPHS = re.compile(
    "[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]"
)
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Without those that other languages spell alike: a, for, have, he, i, in, is, of, or, to, was, will
_FUNCTION_WORDS = frozenset(
    {
        "the",
        "and",
        "that",
        "it",
        "with",
        "his",
        "her",
        "they",
        "this",
        "these",
        "those",
        "has",
        "not",
        "be",
        "been",
        "from",
        "but",
        "are",
        "were",
        "which",
        "you",
        "she",
        "their",
        "there",
        "would",
        "could",
        "should",
        "when",
        "what",
        "who",
        "your",
        "its",
        "our",
        "him",
        "than",
        "into",
        "about",
        "any",
        "some",
        "it's",
        "i'm",
        "don't",
        "didn't",
        "where",
        "how",
        "out",
        "after",
        "before",
        "because",
        "while",
        "through",
        "only",
        "very",
        "might",
        "such",
    }
)


def foreign(text: str) -> str | None:
    """Why a text is taken for neither English nor Chinese; None where it may well be either."""
    letters = len(_LETTERS.findall(text))
    latin, han = len(_LATIN.findall(text)), len(_IDEOGRAPHS.findall(text))
    kana, hangul = len(_KANA.findall(text)), len(_HANGUL.findall(text))
    if max(kana, hangul) > SYLLABIC * letters:
        return f"it looks like {'Japanese' if kana > hangul else 'Korean'}"
    if letters > 2 * (latin + han):
        return f"most of its letters are {_script(text)}"
    if language_of([text]) == "zh":
        return None
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    common = sum(word in _FUNCTION_WORDS for word in words)
    if len(words) >= ENOUGH and common < LEAST * len(words):
        return "it does not look like English: the commonest words are hardly there"
    return None


def _script(text: str) -> str:
    """The script of most letters that are neither Latin nor Han, by the names of characters."""
    others = Counter(
        unicodedata.name(letter, "unknown").partition(" ")[0].capitalize()
        for letter in _LETTERS.findall(text)
        if not (_LATIN.match(letter) or _IDEOGRAPHS.match(letter))
    )
    return others.most_common(1)[0][0]
