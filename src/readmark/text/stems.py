"""Base forms of English nouns and verbs as WordNet's morphy finds them: exceptions, then endings.

The document of the BRCC stems with WordNet's ``morphstr`` (section 5, note 11).
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
"""Morphy's rules of detachment, in its order: an ending, and what takes its place."""


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The base form of a word in small letters, as a noun if that changes it, else as a verb."""
    return _base(word, "n") or _base(word, "v") or word


def _base(word: str, part_of_speech: str) -> str | None:
    bases, exceptions = _tables()[part_of_speech]
    if word in exceptions:
        return exceptions[word]
    # Morphy detaches nothing from a noun in -ss, nor from one of two letters.
    if part_of_speech == "n" and (word.endswith("ss") or len(word) <= 2):
        return None
    for ending, replacement in _ENDINGS[part_of_speech]:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)] + replacement
            if base in bases and base != word:
                return base
    return None


@functools.cache
def _tables() -> dict[str, tuple[frozenset[str], dict[str, str]]]:
    """By part of speech: the base forms that WordNet has, and the exceptions to the endings."""
    packed = files("readmark.text").joinpath("data/wordnet_bases.txt.gz").read_bytes()
    bases: dict[str, set[str]] = {"n": set(), "v": set()}
    exceptions: dict[str, dict[str, str]] = {"n": {}, "v": {}}
    for line in gzip.decompress(packed).decode("utf-8").splitlines():
        if line.startswith("#"):
            continue
        mark, word, *base = line.split(" ")
        if base:
            exceptions[mark[0]][word] = base[0]
        else:
            bases[mark].add(word)
    return {part: (frozenset(bases[part]), exceptions[part]) for part in bases}
