"""Two versions of a text: the first difference is shown, in code points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.formats.text_versions import first_difference, require_same_text


@pytest.mark.parametrize(
    ("one", "other", "at"),
    [("abc", "abc", None), ("abc", "abd", 2), ("abc", "ab", 2), ("", "a", 0), ("👩的", "👩地", 1)],
)
def test_worked_examples(one: str, other: str, at: int | None) -> None:
    assert first_difference(one, other) == at


@given(st.text(), st.text())
def test_up_to_there_they_are_equal(one: str, other: str) -> None:
    at = first_difference(one, other)
    assert (at is None) == (one == other)
    if at is not None:
        assert one[:at] == other[:at]
        assert one[at : at + 1] != other[at : at + 1]


def test_the_line_shows_both() -> None:
    require_same_text("same", "same", file="a.jsonl", id="p")
    before = "零" * 10 + "一二三四五六七八九十"
    with pytest.raises(
        DataError,
        match=r"a\.jsonl:p: belongs to another version .* character 20: "
        r"expected '…零零一二三四五六七八九十甲', found '…零零一二三四五六七八九十乙丙'",
    ):
        require_same_text(before + "甲", before + "乙丙", file="a.jsonl", id="p")
