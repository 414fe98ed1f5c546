"""The word tables of the analysers, read once from their data files."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any


@functools.cache
def table(language: str) -> dict[str, Any]:
    """The table of a language."""
    path = files("readmark.text.analysers") / "data" / f"{language}.toml"
    sections: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return sections


@functools.cache
def table_words(language: str, section: str, name: str) -> frozenset[str]:
    """A list of words of a table."""
    return frozenset(table(language)[section][name].split())


@functools.cache
def table_endings(language: str, section: str, name: str) -> tuple[str, ...]:
    """A list of endings of a table, for ``str.endswith``."""
    return tuple(table(language)[section][name].split())
