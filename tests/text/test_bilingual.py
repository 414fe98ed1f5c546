"""The list of English words and their Chinese translations."""

import re
from importlib.resources import files

import pytest

from readmark.text.bilingual import glosses, same_sense, senses, words_with_senses


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("drinks", "喝"),
        ("Soldiers", "士兵"),
        ("children's", "孩子"),
        ("left", "离开"),
        ("left", "左"),
        ("took part in", "参加"),
        ("civil war", "内战"),
        ("Civil  War", "内战"),
    ],
)
def test_senses_of_any_form_of_a_word(english: str, chinese: str) -> None:
    assert any(chinese in sense for sense in senses(english))


def test_unknown_words_have_no_senses() -> None:
    assert senses("Hingis") == ()
    assert senses("") == ()
    assert glosses("轩芝丝") == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "english"),
    [
        ("喝", "饮", "drink"),
        ("銀行", "银行", "bank"),
        ("银行", "河岸", None),
        ("喝", "轩芝丝", None),
    ],
)
def test_same_sense(first: str, second: str, english: str | None) -> None:
    assert same_sense(first, second) == english


def test_phrases_of_the_list_stay_whole() -> None:
    senses = dict(words_with_senses("How many soldiers fought in the Civil War?"))
    assert list(senses) == ["how many", "soldiers", "fought", "in", "the", "civil war"]
    assert senses["civil war"] == (("内战",),)
    assert senses["the"] == ()


def test_each_line_is_an_english_word_a_tab_and_chinese_words() -> None:
    text = files("readmark.text").joinpath("data", "english_chinese.tsv").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    shape = re.compile(r"[A-Za-z][A-Za-z' -]*\t[\u4e00-\u9fff]+( (\| )?[\u4e00-\u9fff]+)*")
    assert [line for line in lines if not shape.fullmatch(line)] == []
    words = [line.split("\t")[0] for line in lines]
    assert len(words) == len(set(words)) > 3000
