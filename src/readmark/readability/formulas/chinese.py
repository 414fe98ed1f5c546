"""Chinese passages: sentence length, rare words and strokes, and one index of the three."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean

from readmark.text import frequency
from readmark.text import sentences as sentence_rules
from readmark.text.segmenter import Segmenter

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
    """All measures of a passage; None where there is no Chinese word."""
    spans = sentence_rules.sentences(text, "zh")
    said = [text[start:end] for start, end in spans if _HAN.search(text, start, end)]
    characters = [character for sentence in said for character in _HAN.findall(sentence)]
    cut = _segmenter()
    words = [word for sentence in said for word in cut.words(frequency.simplified(sentence))]
    values = [frequency.chinese_zipf(word) for word in words if _HAN.match(word)]
    counted = [count for one in characters if (count := strokes(one)) is not None]
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
        "sentences": sentence_rules.RULES,
        "words": _segmenter().signature(),
        "frequency": frequency.source(),
        "strokes": SOURCE,
        "index": RULES,
    }


@functools.cache
def _segmenter() -> Segmenter:
    return Segmenter(hmm=True)
