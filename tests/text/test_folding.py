"""Folding against a slow and plain way of doing it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.folding import folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", "helloworld"),
        ("ＡＢＣ　１２３", "abc123"),
        ("漢語，語法。", "汉语语法"),
        ("a_b-c", "abc"),
        ("Ünïcode É", "ünïcodeé"),
        ("", ""),
        ("——《》", ""),
    ],
)
def test_folding(text: str, expected: str) -> None:
    assert folded(text) == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert len(once) <= len(text)
    assert not any(one.isspace() for one in once)
