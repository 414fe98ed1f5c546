import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import official
from readmark.comprehension.profiles.squad import normal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Old\tMill.", "old mill"),
        ("a.", ""),
        ("Theatre of an anvil", "theatre of anvil"),
        ("an-the", "anthe"),  # the hyphen goes first, and what is left is no article
        ("a_b", "ab"),  # and so does the underscore, which is ASCII punctuation too
        ("the—a", "—"),  # a dash beyond ASCII stays and is a word boundary
        ("“北京”", "“北京”"),
        (string.punctuation, ""),
        ("  \u3000\n ", ""),
        ("3.5 %", "35"),
    ],
)
def test_normal(text: str, expected: str) -> None:
    assert normal(text) == expected


@given(st.lists(st.sampled_from([*"aAnтé.,-_'—中 \n", "the", "The", "an"])).map("".join))
def test_normal_is_the_official_one(text: str) -> None:
    assert normal(text) == official.squad_normal(text)


@given(st.text())
def test_normal_is_the_official_one_on_any_text(text: str) -> None:
    assert normal(text) == official.squad_normal(text)
