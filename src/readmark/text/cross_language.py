"""Which Chinese and English words say the same: by a dictionary, by number, and by sound.

The dictionary is CC-CEDICT's glosses. A name that it lacks is recognised by its sound.
"""

from __future__ import annotations

import functools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from readmark.core.arrays import Floats32
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.function_words import FUNCTION
from readmark.text.glosses import base_form, translations
from readmark.text.script import simplified
from readmark.text.sounds import CERTAIN_ODDS, letters_of, sounds

SOURCE = "cc-cedict-2023-11-07, names by sound-1"
"""The lexicon and the rules, for signatures."""

_RELATED = 0.7
"""What words that only begin alike count: defend, defence."""
_BEGINNING = 5
_SHORTEST_NAME = 4

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS = {
    **{word: number for number, word in enumerate(_UNITS.split())},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_YEAR = "january february march april may june july august september october november december"
_MONTHS = _YEAR.split()
_CHINESE_NUMBER = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*")


def lexicon_signature(segmenter: Any) -> Mapping[str, Any]:
    """What decides the answers to questions in another language than the passage's.

    ``segmenter`` is what splits the questions into words.
    """
    return {"lexicon": SOURCE, "words of questions": segmenter}


def correspondence(chinese: Sequence[str], english: Sequence[str]) -> Floats32:
    """How strongly each word of a Chinese text corresponds to each word of an English one.

    There is a row for each Chinese word and a column for each English one: 0 for nothing shared,
    1 for the same. Words are in the order and the case of their texts.
    """
    plain = [simplified(word) for word in chinese]
    strengths = np.zeros((len(plain), len(english)), np.float32)
    columns = _Columns(english)
    by_word = {word: columns.matching(word) for word in dict.fromkeys(plain)}
    for row, word in enumerate(plain):
        for column, strength in by_word[word].items():
            strengths[row, column] = strength
    for row, column in _equal_numbers(plain, english):
        strengths[row, column] = 1.0
    is_unknown = strengths.max(axis=0, initial=0.0) < 1 / 2
    for column in np.flatnonzero(is_unknown).tolist():
        if is_name(english[column]):
            for row, strength in _heard(english[column], plain):
                strengths[row, column] = max(strengths[row, column], strength)
    return strengths


def content_words(words: Sequence[str], language: str) -> list[int]:
    """The places of a question's words that carry content, each word once; all if none does."""
    first: dict[str, int] = {}
    for place, word in enumerate(words):
        first.setdefault(simplified(word.lower()), place)
    content = [place for word, place in first.items() if word not in FUNCTION[language]]
    return content or list(first.values())


def is_name(word: str) -> bool:
    """Whether an English word may be a name that Chinese transliterates."""
    if not word[:1].isupper() or word.lower() in FUNCTION["en"]:
        return False
    return len(letters_of(word)) >= _SHORTEST_NAME


class _Columns:
    """The words of an English text, by their base forms and by their beginnings."""

    def __init__(self, english: Sequence[str]) -> None:
        self._by_base: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for column, word in enumerate(english):
            parts = re.split("[-‐‑]", word)
            for part in parts:
                if base := base_form(part):
                    self._by_base[base].append((column, 1 / math.sqrt(len(parts))))
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        for base in self._by_base:
            if len(base) > _BEGINNING:
                self._by_beginning[base[:_BEGINNING]].append(base)

    def matching(self, chinese: str) -> Mapping[int, float]:
        """The columns that a Chinese word corresponds to, and how strongly."""
        if chinese.isascii():  # NFL
            return dict(self._by_base.get(base_form(chinese), ()))
        strengths: dict[int, float] = {}
        for word, strength in translations(chinese).items():
            for base, factor in self._like(word):
                for column, share in self._by_base[base]:
                    product = strength * factor * share
                    strengths[column] = max(strengths.get(column, 0.0), product)
        return strengths

    def _like(self, word: str) -> Iterator[tuple[str, float]]:
        """The base forms in the text that are a word or begin like it, with what each counts."""
        if word in self._by_base:
            yield word, 1.0
        for base in self._by_beginning.get(word[:_BEGINNING], ()):
            if base != word and len(word) > _BEGINNING:
                yield base, _RELATED


def _equal_numbers(chinese: Sequence[str], english: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where both texts have the same number, or the same month."""
    values: dict[float, list[int]] = defaultdict(list)
    months: dict[int, list[int]] = defaultdict(list)
    small = [word.lower() for word in english]
    for column, word in enumerate(small):
        value = _english_number(word)
        if value is not None:
            values[value].append(column)
            scale = _SCALES.get(small[column + 1]) if column + 1 < len(small) else None
            if scale is not None:
                values[value * scale] += column, column + 1
        elif english[column][:1].isupper() and word in _MONTHS:  # may is not May
            months[_MONTHS.index(word) + 1].append(column)
    if not values and not months:
        return
    text = "".join(chinese)
    rows = [row for row, word in enumerate(chinese) for _ in word]
    for match in _CHINESE_NUMBER.finditer(text):
        number = number_of(match[0].replace(",", "").rstrip("."))
        if number is None:
            continue
        is_month = text.startswith("月", match.end())
        columns = months.get(int(number), ()) if is_month else values.get(number, ())
        for row in dict.fromkeys(rows[match.start() : match.end()]):
            yield from ((row, column) for column in columns)


def _english_number(word: str) -> float | None:
    bare = word.replace(",", "")
    if bare[:1].isdigit():
        return number_of(bare) if bare.isascii() else None
    return _NUMBER_WORDS.get(word)


def _heard(name: str, chinese: Sequence[str]) -> Iterator[tuple[int, float]]:
    """The Chinese words that lie, by more than half, in a stretch that sounds like a name."""
    ends = list(accumulate(map(len, chinese)))
    for start, end, odds in _heard_places(name, "".join(chinese)):
        for row, (word_end, word) in enumerate(zip(ends, chinese, strict=True)):
            inside = min(word_end, end) - max(word_end - len(word), start)
            if 2 * inside > len(word):
                yield row, min(1.0, odds / CERTAIN_ODDS)


@functools.lru_cache(maxsize=4096)  # a passage's questions ask for the same names
def _heard_places(name: str, text: str) -> Sequence[tuple[int, int, float]]:
    """The stretches that a name may be, of two characters or more, the best from each place."""
    best: dict[int, tuple[int, int, float]] = {}
    for start, end, odds in (*sounds().spelt(name, text), *sounds().places(name, text)):
        if end - start > 1 and (start not in best or odds > best[start][2]):
            best[start] = start, end, odds
    return tuple(best.values())
