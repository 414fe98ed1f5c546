"""Known words: the list, its regular forms, names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.formulas.familiar import is_familiar, names_in
from readmark.text.sentences import sentences


@pytest.mark.parametrize(
    "word",
    [
        "cat",
        "giants",
        "churches",
        "ladies",
        "boy's",
        "boys'",
        "boy’s",
        "returned",
        "studied",
        "stopped",
        "making",
        "running",
        "makes",
        "tries",
        "known",
        "stronger",
        "strongest",
        "bigger",
        "happier",
        "largest",
        "sharply",
        "happily",
        "don't",
        "he'd",
        "we’ll",
        "1995",
        "3",
        "3rd",
        "21st",
        "1990s",
        "snow-white",
        "old-fashioned",
    ],
)
def test_known(word: str) -> None:
    assert is_familiar(word)


@pytest.mark.parametrize(
    "word",
    ["sharpen", "catalyst", "photosynthesis", "catalyst-like", "zebra's-catalyst", "ing", "3x"],
)
def test_unknown(word: str) -> None:
    assert not is_familiar(word)


def named(text: str) -> frozenset[str]:
    return names_in(text, sentences(text, "en"))


def test_names_are_words_with_capitals_inside_sentences() -> None:
    text = 'Brontell came home. He met Miss Quill in Zwolle\'s inn. "Yes," he said, "Go now."'
    assert named(text) == {"miss", "quill", "zwolle"}


def test_a_word_that_also_stands_small_is_no_name() -> None:
    assert named("We saw the Vicar. Our vicar waved to Osk.") == {"osk"}


def test_headings_tell_no_names() -> None:
    assert named("The Catalyst And The Zeolite\n\nA zeolite is a mineral.") == frozenset()


def test_names_count_as_known() -> None:
    assert is_familiar("zwolle", {"zwolle"})
    assert is_familiar("zwolle's", {"zwolle"})
    assert not is_familiar("zwolle")


@given(st.text(max_size=30))
def test_any_word_is_known_or_not(word: str) -> None:
    assert is_familiar(word.lower()) in (True, False)
