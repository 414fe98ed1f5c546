"""The word tables of the rewriting, read once from their data files."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any


@functools.cache
def table(language: str = "english") -> dict[str, Any]:
    """The table of a language."""
    path = files("readmark.series.guided") / "data" / f"{language}.toml"
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


@functools.cache
def listed(section: str, name: str) -> frozenset[str]:
    """A list of words of the English table."""
    return frozenset(table()[section][name].split())


@functools.cache
def kinds_of(noun: str) -> frozenset[str]:
    """The kinds of target or answer that a noun can stand for: organisation for company."""
    return frozenset(kind for kind in table()["kinds"] if noun in listed("kinds", kind))


@functools.cache
def alike(noun: str) -> frozenset[str]:
    """A noun and those that are said of the same thing: film and movie."""
    return frozenset({noun, *table()["same"].get(noun, "").split()})
