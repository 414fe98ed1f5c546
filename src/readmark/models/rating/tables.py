"""The small word tables of the features."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from importlib.resources import files


@functools.cache
def connectives() -> tuple[dict[tuple[str, ...], str], dict[str, tuple[int, ...]]]:
    """Connectives by their words, and by their first word how many words one may have."""
    given = tomllib.loads(_read("connectives.toml"))
    table = {tuple(one.split()): kind for kind, listed in given.items() for one in listed}
    sizes: dict[str, set[int]] = {}
    for words in table:
        sizes.setdefault(words[0], set()).add(len(words))
    return table, {first: tuple(sorted(some, reverse=True)) for first, some in sizes.items()}


@functools.cache
def story_odds() -> dict[str, float]:
    """How much more a word belongs to children's stories than to an encyclopaedia: log odds."""
    return _odds("story_words.tsv")


@functools.cache
def level_odds() -> dict[str, float]:
    """How much more a lemma belongs to elementary than to advanced versions: log odds."""
    return _odds("level_words.tsv")


@functools.cache
def fingerprint() -> str:
    """A short hash of every table that features are measured by, for signatures."""
    found = hashlib.sha256()
    for name in ("connectives.toml", "level_words.tsv", "story_words.tsv", "word_order.npz"):
        found.update(files("readmark.models.rating").joinpath("data", name).read_bytes())
    return found.hexdigest()[:12]


def odds_lines(odds: dict[str, float], head: str) -> str:
    """A table of odds as a file: a line a value."""
    by_value: dict[float, list[str]] = {}
    for word, value in odds.items():
        by_value.setdefault(value, []).append(word)
    lines = [f"{value:g}\t{' '.join(sorted(by_value[value]))}" for value in sorted(by_value)]
    return "\n".join([f"# {head}", *lines, ""])


def _odds(name: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in _read(name).splitlines():
        if line and not line.startswith("#"):
            odds, _, words = line.partition("\t")
            found.update(dict.fromkeys(words.split(" "), float(odds)))
    return found


def _read(name: str) -> str:
    return files("readmark.models.rating").joinpath("data", name).read_text("utf-8")
