"""TOML that Python can read again."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from readmark.core.toml_text import toml_table, toml_value

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
LEAVES = st.booleans() | st.integers(-(2**62), 2**62) | st.floats(-1e9, 1e9) | TEXTS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=8
)


@given(st.dictionaries(TEXTS, VALUES))
def test_a_table_reads_back_as_it_was(members: dict[str, Any]) -> None:
    assert tomllib.loads(toml_table(members)) == members
    assert tomllib.loads(toml_table(members, ("a", "b c"))) == {"a": {"b c": members}}


def test_names_stand_bare_where_they_can_and_nothing_is_left_out_but_none() -> None:
    table = {"colour": "#fff", "a key": [1, {"x": None, "y": "𝄞\x7f"}], "gone": None}
    text = 'colour = "#fff"\n"a key" = [1, { y = "𝄞\\u007f" }]\n'
    assert toml_table(table) == text
    assert toml_value({}) == "{}"
