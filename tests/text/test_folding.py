"""Folding: worked examples, and what holds for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readmark.text.folding import folded, folded_with_places


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
@example("Ⓐ薴")
def test_folding_twice_changes_nothing(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert len(once) <= len(text)
    assert not any(character.isspace() for character in once)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", "helloworld"),
        ("「漢語」 ５％", "汉语5%"),
        ("2.5", "2.5"),
        ("１，５", "1,5"),
        ("3 - 2", "3-2"),
        ("1 000", "1 000"),
        ("气温−5度", "气温-5度"),
        ("COVID-19", "covid19"),
        ("in .5 s", "in.5s"),
        ("C++ $5 #1 &", "c++$5#1&"),
    ],
)
def test_numbers_and_symbols_are_kept_where_places_matter(text: str, expected: str) -> None:
    assert folded_with_places(text)[0] == expected


@given(st.text())
def test_each_place_has_the_letter_that_was_folded(text: str) -> None:
    spelling, places = folded_with_places(text)
    assert len(spelling) == len(places)
    assert list(places) == sorted(set(places))
    for letter, place in zip(spelling, places, strict=True):
        if letter.isalnum():
            assert folded(text[place]) == letter
