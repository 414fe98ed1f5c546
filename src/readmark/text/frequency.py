"""How frequent a word is, English or Chinese, by the lists of ``wordfreq``."""

from __future__ import annotations

import functools
import gzip
import math
import re
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
    table = _english_values()
    for form in (word, _STOPS.sub("", word), _FIGURE.sub("0", word)):
        if form in table:
            return [table[form]]
    parts = [part for part in _JOINS.split(word) if part]
    found = [table[part] for part in parts if part in table]
    return found if len(found) == len(parts) else []


_STOPS = re.compile(r"[.']")
_JOINS = re.compile(r"[^\w]+|[\d_]+")
_FIGURE = re.compile(r"\d")


@functools.cache
def _english_values() -> dict[str, tuple[float, int]]:
    require("wordfreq")
    from wordfreq import get_frequency_dict

    table = get_frequency_dict("en", wordlist="large")
    clitics = {"n't": 6.5, "'s": 7.0, "'ll": 6.0, "'re": 6.0, "'ve": 6.0, "'d": 6.0, "'m": 6.0}
    found = {
        word: (max(LEAST, math.log10(share) + 9), index)
        for index, (word, share) in enumerate(
            sorted(table.items(), key=lambda item: (-item[1], item[0])), 1
        )
    }
    return found | {word: (value, 50) for word, value in clitics.items()}


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
    require("msgpack")
    msgpack: Any = import_module("msgpack")  # wordfreq brings it; it has no type information
    spec = find_spec("wordfreq")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        file = Path(folder) / "data" / "_chinese_mapping.msgpack.gz"
        if file.is_file():
            with gzip.open(file) as stream:
                table: dict[int, str] = msgpack.load(stream, raw=False, strict_map_key=False)
            return table
    return {}
