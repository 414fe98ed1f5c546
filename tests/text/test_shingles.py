"""How much two texts resemble each other by their shingles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.shingles import resemblance, shingles


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("abcdef", "abcdef", 1.0),
        ("abcdef", "abcdeg", 1 / 3),  # abcde of abcde, bcdef, bcdeg
        ("ABC DEF", "abc, def!", 1.0),
        ("abc", "abc", 1.0),
        ("abc", "abd", 0.0),
        ("漢語語法", "汉语语法", 1.0),
        ("。。。", "。。。", 1.0),
        ("。。。", "！！", 0.0),
    ],
)
def test_resemblance(first: str, second: str, expected: float) -> None:
    assert resemblance(shingles(first), shingles(second)) == pytest.approx(expected)


@given(st.text(max_size=60), st.text(max_size=60))
def test_resemblance_is_symmetric_and_one_for_the_same_text(first: str, second: str) -> None:
    first_set, second_set = shingles(first), shingles(second)
    assert resemblance(first_set, first_set) == 1
    value = resemblance(first_set, second_set)
    assert value == resemblance(second_set, first_set)
    assert value == len(first_set & second_set) / len(first_set | second_set)
