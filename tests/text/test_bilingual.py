"""The English and Chinese word list."""

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
def test_any_form_is_found(english: str, chinese: str) -> None:
    assert any(chinese in sense for sense in senses(english))


def test_unknown_words_have_none() -> None:
    assert senses("Hingis") == ()
    assert senses("") == ()
    assert glosses("轩芝丝") == frozenset()


@pytest.mark.parametrize(
    ("one", "other", "english"),
    [
        ("喝", "饮", "drink"),
        ("銀行", "银行", "bank"),
        ("银行", "河岸", None),
        ("喝", "轩芝丝", None),
    ],
)
def test_words_of_one_sense(one: str, other: str, english: str | None) -> None:
    assert same_sense(one, other) == english


def test_phrases_stay_whole() -> None:
    found = dict(words_with_senses("How many soldiers fought in the Civil War?"))
    assert list(found) == ["how many", "soldiers", "fought", "in", "the", "civil war"]
    assert found["civil war"] == (("内战",),)
    assert found["the"] == ()


def test_the_table_is_sound() -> None:
    """Every line is an English word, a tab and Chinese words; none occurs twice."""
    text = files("readmark.text").joinpath("data", "english_chinese.tsv").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    shape = re.compile(r"[A-Za-z][A-Za-z' -]*\t[\u4e00-\u9fff]+( (\| )?[\u4e00-\u9fff]+)*")
    assert [line for line in lines if not shape.fullmatch(line)] == []
    words = [line.split("\t")[0] for line in lines]
    assert len(words) == len(set(words)) > 3000
