"""Syllables from the dictionary, and by rule where it has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.formulas.syllables import _spoken, by_rules, syllables


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("cat", 1),
        ("table", 2),
        ("banana", 3),
        ("readability", 5),
        ("don't", 1),
        ("fox's", 2),
        ("well-being", 3),
        ("1995", 1),
        ("3rd", 1),
        ("café", 2),
        ("cafe\u0301", 2),
        ("naïve", 2),
        ("façades", 2),
        ("covid-19", 3),  # by rule, and a numeral
        ("’", 1),
    ],
)
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("blorp", 1),
        ("zarptle", 2),
        ("mibbed", 1),
        ("mibbeted", 3),
        ("snarfs", 1),
        ("glimpses", 2),
        ("queeble", 2),
        ("zéphine", 2),
        ("flumation", 3),
        ("gravism", 3),
        ("brrr", 1),
    ],
)
def test_words_that_no_dictionary_has(word: str, count: int) -> None:
    assert by_rules(word) == count


def test_the_table_holds_only_what_the_rules_get_wrong() -> None:
    spoken = {word: count for word, count in _spoken().items() if word.isalpha()}
    assert len(spoken) > 10_000
    assert all(by_rules(word) != count for word, count in spoken.items())
    assert sum(abs(by_rules(word) - count) > 1 for word, count in spoken.items()) < 500


@given(st.text(min_size=1, max_size=30))
def test_every_word_has_a_syllable(word: str) -> None:
    assert syllables(word) >= 1
