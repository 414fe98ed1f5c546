"""Words that a question has whatever it is about, such as *name*, 主要 or 称为."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files


@functools.cache
def fillers(language: str) -> frozenset[str]:
    """The filler words of a language; none where it is not known."""
    data = files("readmark.text").joinpath("data/fillers.toml")
    return frozenset(tomllib.loads(data.read_text("utf-8")).get(language, "").split())
