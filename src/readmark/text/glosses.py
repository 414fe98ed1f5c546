"""The English words in CC-CEDICT's glosses of Chinese words."""

from __future__ import annotations

import functools
import gzip
import math
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

from readmark.text.stems import stem

_LATER = 0.15
"""How much less each further gloss of a word counts than the first."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_EMPTY_WORDS = "a an the of to in on at for from by with as and or be is are was were"
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words of glosses that say nothing of the Chinese word."""


@functools.lru_cache(maxsize=50_000)
def translations(chinese: str) -> Mapping[str, float]:
    """Base forms of the English words in the glosses of a simplified word, with what each counts.

    The first gloss counts most, a word of a longer gloss less; a word that is not listed is read
    by the listed words that it is made of.
    """
    shares: dict[str, float] = {}
    for part in _listed_parts(chinese):
        for index, gloss in enumerate(_glosses().get(part, "").split("/")):
            words = [base for word in _WORD.findall(gloss) if (base := base_form(word))]
            for word in words:
                share = len(part) / len(chinese) / math.sqrt(len(words)) / (1 + _LATER * index)
                shares[word] = max(shares.get(word, 0.0), share)
    return shares


def base_form(english: str) -> str:
    """The base form of an English word, empty for one that says nothing."""
    small = english.lower().replace("’", "'").removesuffix("'s")
    return "" if small in _EMPTY else stem(small)


def _listed_parts(word: str) -> Iterator[str]:
    """A listed word itself; else the longest listed words in it, from the left."""
    table, start = _glosses(), 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((end for end in ends if word[start:end] in table), start + 1)
        yield word[start:end]
        start = end


@functools.cache
def _glosses() -> Mapping[str, str]:
    packed = files("readmark.text").joinpath("data", "chinese_english.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    return {word: glosses for word, _, glosses in (line.partition("\t") for line in lines)}
