"""Stars, ranks and seconds as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.panels.written_numbers import number, number_text


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("stars", "★★★☆☆", 3),
        ("stars", "⭐⭐⭐⭐", 4),
        ("stars", "★★★★☆☆", None),
        ("stars", "★☆★☆☆", None),
        ("stars", "☆☆☆☆☆", None),
        ("stars", "４分", 4),
        ("stars", "4/5", 4),
        ("stars", "3,5 / 5", 3.5),
        ("stars", "4/10", None),
        ("stars", "2 stars", 2),
        ("stars", "3 颗星", 3),
        ("stars", "4 s", None),
        ("seconds", "60 秒", 60),
        ("seconds", "12.5s", 12.5),
        ("seconds", "★★", None),
        ("rank", "3", 3),
        ("rank", "3/5", None),
        ("stars", "", None),
    ],
)
def test_numbers_as_people_write_them(name: str, text: str, value: float | None) -> None:
    assert number(text, name) == value


@given(st.floats(min_value=0, max_value=1e6))
def test_a_number_that_goes_back_on_a_sheet_is_the_same(value: float) -> None:
    assert number(number_text(value), "seconds") == value
