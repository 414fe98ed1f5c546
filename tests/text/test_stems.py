"""Stems as WordNet's morphy gives them, worked from its rules and exception lists."""

from __future__ import annotations

import pytest

from readmark.text.words import stem


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
        ("carries", "carry"),
        ("glass", "glass"),  # -ss is no plural
        ("present-day", "present-day"),
        ("typewriter", "typewriter"),
        ("xyzzying", "xyzzying"),  # no such base
        ("", ""),
        ("1861", "1861"),
    ],
)
def test_a_base_form(word: str, base: str) -> None:
    assert stem(word) == base


def test_a_stem_is_a_noun_or_verb_that_is_known_or_the_word_itself() -> None:
    assert stem("sung") == "sing"
    assert stem("bring") == "bring"
    assert stem("news") in {"news", "new"}
