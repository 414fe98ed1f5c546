"""Base forms as WordNet's morphy gives them, worked from its rules and exception lists."""

from __future__ import annotations

import pytest

from readmark.text.stems import stem


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("sports", "sport"),
        ("played", "play"),
        ("grew", "grow"),
        ("called", "call"),
        ("made", "make"),
        ("children", "child"),
        ("women", "woman"),
        ("cities", "city"),
        ("boxes", "box"),
        ("churches", "church"),
        ("wishes", "wish"),
        ("leaves", "leaf"),  # as a noun first
        ("left", "leave"),
        ("found", "find"),
        ("making", "make"),
        ("sung", "sing"),
        ("bring", "bring"),  # no form of a verb, although it ends in -ing
        ("carries", "carry"),
        ("glass", "glass"),  # -ss is no plural
        ("present-day", "present-day"),
        ("typewriter", "typewriter"),
        ("xyzzying", "xyzzying"),  # no such base
        ("", ""),
        ("1861", "1861"),
    ],
)
def test_base_form(word: str, base: str) -> None:
    assert stem(word) == base
