"""How frequent a word is, English or Chinese, by the lists of ``wordfreq``."""

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

# How often an English word is met, by the lists of ``wordfreq``.


LEAST = 1.0
"""The Zipf value of a word that the list lacks: under one in a hundred million."""


def zipf(word: str) -> float:
    """The Zipf value of a word in small letters; a compound is as rare as its rarest part."""
    return min((value for value, _ in _entries(word)), default=LEAST)


def rank(word: str) -> float:
    """The place of a word in the list, 1 the commonest; infinite for one that it lacks."""
    return max((place for _, place in _entries(word)), default=math.inf)


def is_listed(word: str) -> bool:
    """Whether the list has a word at all, or all parts of it; what has a figure is no such word."""
    return any(map(str.isdigit, word)) or bool(_entries(word))


def _entries(word: str) -> list[tuple[float, int]]:
    """Value and place of a word, or of the parts it is made of; none where one is not known.

    The list has *am*, *etc* and *yall* for a.m., etc. and y'all, and 0000 for any year.
    """
    listed = _english()
    for form in (word, _STOPS.sub("", word), _FIGURE.sub("0", word)):
        if form in listed:
            return [listed[form]]
    parts = [part for part in _JOINS.split(word) if part]
    found = [listed[part] for part in parts if part in listed]
    return found if len(found) == len(parts) else []


_STOPS = re.compile(r"[.']")
_JOINS = re.compile(r"[^\w]+|[\d_]+")
_FIGURE = re.compile(r"\d")


class FrequencyList:
    """Zipf values and places of words, from lists of words that are equally frequent.

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
        self._places = dict(zip(words, range(1, len(words) + 1), strict=True))

    def __contains__(self, word: str) -> bool:
        return word in _CLITICS or word in self._places

    def __getitem__(self, word: str) -> tuple[float, int]:
        if word in _CLITICS:
            return _CLITICS[word], 50
        place = self._places[word]
        return self._values[bisect_left(self._ends, place)], place


_CLITICS = {"n't": 6.5, "'s": 7.0, "'ll": 6.0, "'re": 6.0, "'ve": 6.0, "'d": 6.0, "'m": 6.0}


@functools.cache
def _english() -> FrequencyList:
    # Importing wordfreq takes longer than reading its list, for it can do much more.
    lists = _data("large_en.msgpack.gz")
    if lists is None:
        require("wordfreq")
        from wordfreq import get_frequency_list

        return FrequencyList(get_frequency_list("en", wordlist="large"))
    return FrequencyList(lists[1:])  # after a header


def _data(name: str) -> Any:
    """A table of wordfreq's, read without it; None where there is none."""
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


CHINESE_LEAST = 3.0
"""The Zipf value where the list ends: one in a million. Rarer words count as that."""


def chinese_zipf(word: str) -> float:
    """The Zipf value of a word in simplified characters: log10 of its uses in a billion words."""
    return chinese_values().get(word, CHINESE_LEAST)


def simplified(text: str) -> str:
    """Text in simplified characters, one for one, as the frequency list was made."""
    return text.translate(_mapping())


def source() -> str:
    """The list, for signatures."""
    try:
        return f"wordfreq-{version('wordfreq')}/small"
    except PackageNotFoundError:
        return "wordfreq absent"


@functools.cache
def chinese_values() -> dict[str, float]:
    require("wordfreq")
    from wordfreq import get_frequency_dict

    table = get_frequency_dict("zh", wordlist="small")
    return {word: max(CHINESE_LEAST, math.log10(share) + 9) for word, share in table.items()}


@functools.cache
def _mapping() -> dict[int, str]:
    """wordfreq's table of characters; its module for Chinese cannot be imported without jieba."""
    return _data("_chinese_mapping.msgpack.gz") or {}
