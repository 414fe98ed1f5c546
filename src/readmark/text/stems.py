"""Base forms of English words as WordNet's morphy finds them: exceptions, then endings.

Whatever it gives must be a noun or a verb that WordNet has; a word that has no other base form is
its own stem.
"""

from __future__ import annotations

import functools
import gzip
from collections.abc import Mapping
from importlib.resources import files

SOURCE = "wordnet-3.0 nouns, verbs"

_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
}


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The base form of a word in small letters, as a noun if that changes it, else as a verb."""
    return _base(word, "n") or _base(word, "v") or word


def _base(word: str, part: str) -> str | None:
    known, irregular = _tables()[part]
    if word in irregular:
        return irregular[word]
    if part == "n" and (word.endswith("ss") or len(word) <= 2):
        return None
    for ending, instead in _ENDINGS[part]:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)] + instead
            if base in known and base != word:
                return base
    return None


@functools.cache
def _tables() -> dict[str, tuple[frozenset[str], dict[str, str]]]:
    data = files("readmark.text").joinpath("data/wordnet_bases.txt.gz").read_bytes()
    known: dict[str, set[str]] = {"n": set(), "v": set()}
    irregular: dict[str, dict[str, str]] = {"n": {}, "v": {}}
    for line in gzip.decompress(data).decode("utf-8").splitlines():
        if line.startswith("#"):
            continue
        mark, word, *base = line.split(" ")
        if base:
            irregular[mark[0]][word] = base[0]
        else:
            known[mark].add(word)
    return {part: (frozenset(known[part]), irregular[part]) for part in known}
