"""How frequent a word is, English or Chinese, by the lists of ``wordfreq``.

A Zipf value is the logarithm of a word's uses in a billion words: *the* has 7.7, a rare word 2.
"""

from __future__ import annotations

import functools
import gzip
import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from readmark.core.extras import require

LEAST = 1.0
"""The Zipf value of an English word that the list lacks: under one in a hundred million."""
CHINESE_LEAST = 3.0
"""The Zipf value where the Chinese list ends: one in a million. Rarer words count as that."""

_FULL_STOP_OR_APOSTROPHE = re.compile(r"[.']")
_DIGIT = re.compile(r"\d")
_BETWEEN_PARTS = re.compile(r"[^\w]+|[\d_]+")
_CLITICS = {"n't": 6.5, "'s": 7.0, "'ll": 6.0, "'re": 6.0, "'ve": 6.0, "'d": 6.0, "'m": 6.0}
"""Parts of words that taggers cut off; the list has whole words alone."""
_RANK_OF_CLITICS = 50


def zipf(word: str) -> float:
    """The Zipf value of a word in small letters; a compound is as rare as its rarest part."""
    return min((value for value, _ in _entries(word)), default=LEAST)


def rank(word: str) -> float:
    """The rank of a word in the list, 1 the commonest; infinite for one that it lacks."""
    return max((rank for _, rank in _entries(word)), default=math.inf)


def is_listed(word: str) -> bool:
    """Whether the list has a word, or all of its parts; anything with a digit counts as listed."""
    return any(map(str.isdigit, word)) or bool(_entries(word))


def _entries(word: str) -> list[tuple[float, int]]:
    """Value and rank of a word, or of each of its parts; none where one is not known.

    The list has *am*, *etc* and *yall* for a.m., etc. and y'all, and 0000 for any year.
    """
    words = _english()
    for form in (word, _FULL_STOP_OR_APOSTROPHE.sub("", word), _DIGIT.sub("0", word)):
        if form in words:
            return [words[form]]
    parts = [part for part in _BETWEEN_PARTS.split(word) if part]
    entries = [words[part] for part in parts if part in words]
    return entries if len(entries) == len(parts) else []


class FrequencyList:
    """Zipf values and ranks of words, from lists of words that are equally frequent.

    A value is worked out when it is asked for: the English list has 320,000 words.
    """

    def __init__(self, lists: Sequence[Sequence[str]]) -> None:
        """``lists[n]`` has the words that are n hundredths of a power of ten under all words."""
        self._values: list[float] = []
        self._ends: list[int] = []
        words: list[str] = []
        for centibels, equal in enumerate(lists):
            if equal:
                words += sorted(equal)
                self._values.append(max(LEAST, math.log10(10 ** (-centibels / 100)) + 9))
                self._ends.append(len(words))
        self._ranks = dict(zip(words, range(1, len(words) + 1), strict=True))

    def __contains__(self, word: str) -> bool:
        return word in _CLITICS or word in self._ranks

    def __getitem__(self, word: str) -> tuple[float, int]:
        """The Zipf value and the rank of a word."""
        if word in _CLITICS:
            return _CLITICS[word], _RANK_OF_CLITICS
        rank = self._ranks[word]
        return self._values[bisect_left(self._ends, rank)], rank


@functools.cache
def _english() -> FrequencyList:
    # Importing wordfreq takes longer than reading its list, for it can do much more.
    lists = _wordfreq_table("large_en.msgpack.gz")
    if lists is None:
        require("wordfreq")
        from wordfreq import get_frequency_list

        return FrequencyList(get_frequency_list("en", wordlist="large"))
    return FrequencyList(lists[1:])  # after a header


def chinese_zipf(word: str) -> float:
    """The Zipf value of a word in simplified characters."""
    return chinese_values().get(word, CHINESE_LEAST)


@functools.cache
def chinese_values() -> dict[str, float]:
    """The Zipf values of the list's words."""
    require("wordfreq")
    from wordfreq import get_frequency_dict

    table = get_frequency_dict("zh", wordlist="small")
    return {word: max(CHINESE_LEAST, math.log10(share) + 9) for word, share in table.items()}


def chinese_source() -> str:
    """The list, for signatures."""
    try:
        return f"wordfreq-{version('wordfreq')}/small"
    except PackageNotFoundError:
        return "wordfreq absent"


def simplified_as_listed(text: str) -> str:
    """Text in simplified characters, one for one, as the frequency list was made."""
    return text.translate(_wordfreq_characters())


@functools.cache
def _wordfreq_characters() -> dict[int, str]:
    """wordfreq's table of characters; its module for Chinese cannot be imported without jieba."""
    return _wordfreq_table("_chinese_mapping.msgpack.gz") or {}


def _wordfreq_table(name: str) -> Any:
    """A table of wordfreq's, read without importing it; None where the file is not there."""
    spec = find_spec("wordfreq")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        file = Path(folder) / "data" / name
        if file.is_file():
            require("msgpack")
            msgpack: Any = import_module("msgpack")  # wordfreq brings it; it has no types
            return msgpack.unpackb(
                gzip.decompress(file.read_bytes()), raw=False, strict_map_key=False
            )
    return None
