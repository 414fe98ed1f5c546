"""Traditional characters as simplified ones, one for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.script import simplified
from strategies import ALPHABET


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("學生們在圖書館裡讀書。", "学生们在图书馆里读书。"),
        ("乾隆皇帝把衣服洗乾淨", "乾隆皇帝把衣服洗干净"),
        ("一條魚 and 🐟", "一条鱼 and 🐟"),
        ("", ""),
    ],
)
def test_simplified(text: str, expected: str) -> None:
    assert simplified(text) == expected


def test_simplified_text_is_returned_itself() -> None:
    text = "学生们在图书馆里读书。"
    assert simplified(text) is text


@given(st.text(alphabet=ALPHABET) | st.text(alphabet="乾隆坤淨書们們\ud800龍"))
def test_length_stays_and_a_second_time_changes_nothing(text: str) -> None:
    assert len(simplified(text)) == len(text)
    assert simplified(simplified(text)) == simplified(text)
