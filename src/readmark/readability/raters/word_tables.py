"""The word tables that features are measured by: connectives, and odds of words and lemmas."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from importlib.resources import files


@functools.cache
def connectives() -> tuple[dict[tuple[str, ...], str], dict[str, tuple[int, ...]]]:
    """The kind of each connective, and the lengths in words, longest first, by the first word."""
    kinds = tomllib.loads(_read("connectives.toml"))
    table = {
        tuple(connective.split()): kind for kind, listed in kinds.items() for connective in listed
    }
    sizes: dict[str, set[int]] = {}
    for words in table:
        sizes.setdefault(words[0], set()).add(len(words))
    return table, {first: tuple(sorted(lengths, reverse=True)) for first, lengths in sizes.items()}


@functools.cache
def story_odds() -> dict[str, float]:
    """How much more a word belongs to children's stories than to an encyclopaedia: log odds."""
    return _odds("story_words.tsv")


@functools.cache
def level_odds() -> dict[str, float]:
    """How much more a lemma belongs to elementary than to advanced versions: log odds."""
    return _odds("level_words.tsv")


@functools.cache
def tables_fingerprint() -> str:
    """A short hash of every table that features are measured by, for signatures."""
    digest = hashlib.sha256()
    for name in ("connectives.toml", "level_words.tsv", "story_words.tsv", "word_order.npz"):
        digest.update(files("readmark.readability.raters").joinpath("data", name).read_bytes())
    return digest.hexdigest()[:12]


def _odds(name: str) -> dict[str, float]:
    odds_of: dict[str, float] = {}
    for line in _read(name).splitlines():
        if line and not line.startswith("#"):
            odds, _, words = line.partition("\t")
            odds_of.update(dict.fromkeys(words.split(" "), float(odds)))
    return odds_of


def _read(name: str) -> str:
    return files("readmark.readability.raters").joinpath("data", name).read_text("utf-8")
