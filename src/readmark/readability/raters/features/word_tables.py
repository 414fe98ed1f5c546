"""The word tables that features rest on: connectives, and odds of words and lemmas."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from importlib.resources import files


@functools.cache
def connectives() -> tuple[dict[tuple[str, ...], str], dict[str, tuple[int, ...]]]:
    """The kind of each connective, and how many words those with a first word have.

    The longest comes first, so that *as well as* is found before *as well*.
    """
    tables = tomllib.loads(_read("connectives.toml"))
    kinds = {
        tuple(connective.split()): kind
        for kind, connectives in tables.items()
        for connective in connectives
    }
    lengths: dict[str, set[int]] = {}
    for words in kinds:
        lengths.setdefault(words[0], set()).add(len(words))
    return kinds, {first: tuple(sorted(counts, reverse=True)) for first, counts in lengths.items()}


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
    """A short hash of every table that features rest on, for signatures."""
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
