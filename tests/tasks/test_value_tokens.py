"""Answers to queries as values: numbers go by their value, entities by what they stand for."""

from __future__ import annotations

import pytest

from readmark.tasks.records import Solution
from readmark.tasks.value_tokens import is_value, plain


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("5", "5"),
        ("5.0", "5"),
        ("+5", "5"),
        ("5e0", "5"),
        ("0.10", "0.1"),
        (".1", "0.1"),
        ("1e-1", "0.1"),
        ("2.50", "2.5"),
        ("1e1", "10"),
        ("-0.0", "0"),
        ("9007199254740993.0", "9007199254740993"),
        ("9007199254740993", "9007199254740993"),
        ("0.1000000000000000000000000000000000001", "0.1000000000000000000000000000000000001"),
        ("1e999999999999999999", "1e999999999999999999"),
        ("true", "true"),
        ('"5.0"', '"5.0"'),
        ("49ers", "49ers"),
        ("1_000", "1_000"),
        ("2009-11-08", "2009-11-08"),
    ],
)
def test_numbers_of_one_value_have_one_token(token: str, expected: str) -> None:
    assert plain(token) == expected


def test_answers_with_numbers_of_one_value_are_one() -> None:
    said = [5, 5.0, "5", "5.00", "5e0", "+5"]
    assert {Solution(values={"n": value}).bound for value in said} == {(("n", "5"),)}
    assert Solution(values={"n": True}).bound != Solution(values={"n": 1}).bound


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("5", True),
        ("INF", True),
        ("true", True),
        ('"Jets"', True),
        ("2009-11-08", True),
        ("2009-11-08T13:00:00Z", True),
        ("Jets", False),
        ("Infinity", False),
        ("nan", False),
        ("49ers", False),
        ("_:x", False),
        ("<5>", False),
    ],
)
def test_what_is_no_entity(token: str, value: bool) -> None:
    assert is_value(token) is value
