"""A text as a reader sees it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.raters.spelling import as_read


@pytest.mark.parametrize(
    ("given_text", "read"),
    [
        ("A cat sat [on it].", "A cat sat [on it]."),
        ("cafe\u0301", "café"),
        ("Ｔｈｅ　ｃａｔ．", "The cat."),
        ("the \ufb01rst", "the first"),
        ("grand\u00admother, \u200bshe\ufeff said", "grandmother, she said"),
        ("It was fun. \U0001f600 She left.", "It was fun.   She left."),
        ("It fell in 1066.[1][23] Then", "It fell in 1066. Then"),
        ("He wrote [1] and [sic].", "He wrote [1] and [sic]."),
        ("½ of 10²… “yes”", "½ of 10²… “yes”"),
    ],
)
def test_by_hand(given_text: str, read: str) -> None:
    assert as_read(given_text) == read


@given(st.text(max_size=40))
def test_equal_texts_are_read_alike(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert as_read(unicodedata.normalize("NFD", composed)) == as_read(composed)
