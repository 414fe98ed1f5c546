"""Traditional characters one for one: lengths stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.script import simplified
from strategies import ALPHABET


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("學生們在圖書館裡讀書。", "学生们在图书馆里读书。"),
        ("乾隆皇帝把衣服洗乾淨", "乾隆皇帝把衣服洗干净"),
        ("一條魚 and 🐟", "一条鱼 and 🐟"),
        ("", ""),
    ],
)
def test_characters(text: str, plain: str) -> None:
    assert simplified(text) == plain


def test_a_simplified_text_is_itself() -> None:
    text = "学生们在图书馆里读书。"
    assert simplified(text) is text


@given(st.text(alphabet=ALPHABET) | st.text(alphabet="乾隆坤淨書们們\ud800龍"))
def test_the_length_stays(text: str) -> None:
    assert len(simplified(text)) == len(text)
    assert simplified(simplified(text)) == simplified(text)
