"""The word lists behind the question types, read once from their data files."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any


@functools.cache
def word_lists(language: str) -> dict[str, Any]:
    """What ``data/question_types.LANGUAGE.toml`` holds; white space parts the words of a list."""
    data = files("readmark.text").joinpath(f"data/question_types.{language}.toml")
    return tomllib.loads(data.read_text("utf-8"))


@functools.cache
def words_of(language: str, *path: str) -> frozenset[str]:
    """One list of words, or the words of all lists of a table."""
    entry: Any = word_lists(language)
    for name in path:
        entry = entry[name]
    lists = entry.values() if isinstance(entry, dict) else (entry,)
    return frozenset(word for words in lists for word in words.split())
