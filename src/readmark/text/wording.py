"""Lists of Chinese words that rules look for: particles, classifiers, pronouns, negations, …"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files


@functools.cache
def word_list(name: str) -> frozenset[str]:
    """A list of ``data/wording.zh.toml``, which says what each is for."""
    return frozenset(_lists()[name].split())


@functools.cache
def _lists() -> dict[str, str]:
    source = files("readmark.text").joinpath("data", "wording.zh.toml")
    return tomllib.loads(source.read_text("utf-8"))
