"""Readability: the classic formulas for English, a documented index for Chinese."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean

from readmark.core.language import language_of, primary
from readmark.readability import prose
from readmark.readability.english_formulas import (
    EnglishReadability,
    english_readability,
    english_signature,
)
from readmark.text import frequency
from readmark.text import sentences as sentence_rules
from readmark.text.segmenter import segmenter

# Strokes of Han characters: Unihan's ``kTotalStrokes`` (People's Republic where forms differ).


SOURCE = "unihan-14"


def strokes(character: str) -> int | None:
    """How many strokes a character is written with; None outside U+4E00 to U+9FFF."""
    return _table().get(character)


@functools.cache
def _table() -> dict[str, int]:
    data = files("readmark.text").joinpath("data/strokes.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in data.splitlines())
    return {character: int(count) for count, characters in rows for character in characters}


RULES = "zh-index-1"
RARE = 4.0
"""Words below this Zipf value are rare: fewer than ten in a million."""
LENGTH, SHARE, STROKES_EACH = 30.0, 30.0, 7.5
"""What the index calls ordinary: characters a sentence, percent rare words, strokes a character.
Round numbers near ordinary prose, chosen by eye; fitted to no graded text."""

_HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


@dataclass(frozen=True, slots=True)
class ChineseReadability:
    """The measures of one passage; the higher, the harder (``zipf``: the lower)."""

    sentences: int
    characters: int
    """Han characters."""
    words: int
    characters_per_sentence: float
    words_per_sentence: float
    rare_words: float
    """Percentage of words with fewer than ten uses in a million."""
    zipf: float
    """Mean Zipf value of the words; those under one in a million count as 3."""
    strokes: float
    """Mean strokes of a character, as written (traditional ones have more)."""
    index: float
    """100 is an ordinary text by the three conventions; the parts weigh alike."""


def chinese_readability(text: str) -> ChineseReadability | None:
    """All measures of a passage's running text; None where there is no Chinese word."""
    text = prose.running_text(text)
    spans = sentence_rules.sentences(text, "zh")
    said = [text[start:end] for start, end in spans if _HAN.search(text, start, end)]
    characters = [character for sentence in said for character in _HAN.findall(sentence)]
    cut = segmenter().words
    words = [word for sentence in said for word in cut(frequency.simplified_as_listed(sentence))]
    values = [frequency.chinese_zipf(word) for word in words if _HAN.match(word)]
    counted = [count for character in characters if (count := strokes(character)) is not None]
    if not values or not counted:
        return None
    length = len(characters) / len(said)
    rare = 100 * sum(value < RARE for value in values) / len(values)
    written = fmean(counted)
    return ChineseReadability(
        sentences=len(said),
        characters=len(characters),
        words=len(values),
        characters_per_sentence=length,
        words_per_sentence=len(values) / len(said),
        rare_words=rare,
        zipf=fmean(values),
        strokes=written,
        index=index(length, rare, written),
    )


def index(characters_per_sentence: float, rare_words: float, strokes_each: float) -> float:
    """The mean of the three measures, each as a percentage of what is ordinary."""
    parts = (
        characters_per_sentence / LENGTH,
        rare_words / SHARE,
        strokes_each / STROKES_EACH,
    )
    return 100 * fmean(parts)


def chinese_signature() -> dict[str, str]:
    """Which rules and lists the numbers rest on."""
    return {
        "sentences": f"{sentence_rules.RULES}+{prose.RULES}",
        "words": segmenter().signature(),
        "frequency": frequency.chinese_source(),
        "strokes": SOURCE,
        "index": RULES,
    }


LANGUAGES = ("en", "zh")

Readability = EnglishReadability | ChineseReadability


def readability(text: str, language: str, *, known_names: bool = True) -> Readability | None:
    """The measures of a passage in its language; None where it has no word to measure.

    What is not Chinese is measured as English: ask ``LANGUAGES`` first. ``known_names`` is whether
    Dale-Chall counts names as familiar.
    """
    if primary(language) == "zh":
        return chinese_readability(text)
    return english_readability(text, known_names=known_names)


def hardness(text: str, language: str) -> float | None:
    """How hard a passage is: Dale-Chall's raw score, or the Chinese index; higher is harder.

    None where there is no word to measure.
    """
    measures = readability(text, language)
    if isinstance(measures, EnglishReadability):
        return measures.dale_chall
    return measures.index if measures is not None else None


def signature(language: str, *, known_names: bool = True) -> dict[str, str]:
    """What the measures of a language rest on."""
    if primary(language) == "zh":
        return chinese_signature()
    return english_signature(known_names=known_names)


# Texts that are neither English nor Chinese, recognised by their letters and commonest words: a
# formula gives a number for any text, and it would mean nothing.


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
