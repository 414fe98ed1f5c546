"""Strokes of Han characters: Unihan's ``kTotalStrokes`` (People's Republic where forms differ)."""

from __future__ import annotations

import functools
from importlib.resources import files

STROKES_SOURCE = "unihan-14"


def strokes(character: str) -> int | None:
    """How many strokes a character is written with; None outside U+4E00 to U+9FFF."""
    return _table().get(character)


@functools.cache
def _table() -> dict[str, int]:
    data = files("readmark.text").joinpath("data/strokes.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in data.splitlines())
    return {character: int(count) for count, characters in rows for character in characters}
