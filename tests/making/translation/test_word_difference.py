"""The words by which two translations differ."""

import pytest

from readmark.making.translation.chinese_words import chinese_words, folded
from readmark.making.translation.word_difference import word_difference


def texts(words: object) -> list[str]:
    return [word.text for word in words]  # type: ignore[attr-defined]


def test_question_words_and_joined_words() -> None:
    assert texts(chinese_words("他在什么地方？")) == ["他", "在", "什么地方"]
    assert texts(chinese_words("谁教他驾船？")) == ["谁", "教", "他", "驾船"]
    assert texts(chinese_words("谁被选为队长？"))[:2] == ["谁", "被"]
    assert texts(chinese_words("他买了五个苹果。")) == ["他", "买", "了", "五", "个", "苹果"]


def test_words_of_one_side_pairs_and_moves() -> None:
    difference = word_difference("老人在哪里买了船？", "在什么地方老人购买了船？")
    assert [(pair.a.text, pair.b.text) for pair in difference.pairs] == [
        ("哪里", "什么地方"),
        ("买", "购买"),
    ]
    assert difference.content_a == difference.content_b == []
    assert "老人" in texts(difference.moved) or "在" in texts(difference.moved)


def test_a_word_is_cut_by_a_word_of_the_other() -> None:
    difference = word_difference("熊猫吃什么？", "大熊猫吃什么？")
    assert (texts(difference.a), texts(difference.b)) == ([], ["大"])


def test_equal_numbers_pair_and_others_never() -> None:
    assert [pair.why for pair in word_difference("30周", "三十周").pairs] == ["the same number"]
    difference = word_difference("1998年", "1989年")
    assert (texts(difference.a), texts(difference.b), difference.pairs) == (["1998"], ["1989"], ())


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        ("大约200万人", ["大约", "200万", "人"], [2_000_000]),
        ("二〇〇八年八月", ["二〇〇八", "年", "八", "月"], [2008, 8]),
        ("气温零下五度", ["气温", "-五", "度"], [-5]),
        ("1998年200万", ["1998", "年", "200万"], [1998, 2_000_000]),
        ("1,000美元", ["1000", "美元"], [1000]),
        ("1990-1995年", ["1990-1995", "年"], []),
    ],
)
def test_a_number_is_one_word(text: str, words: list[str], numbers: list[float]) -> None:
    cut_words = chinese_words(text)
    assert texts(cut_words) == words
    assert [word.number for word in cut_words if word.number is not None] == numbers


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("他说：“好。”", "他說:好", True),
        ("５％", "百分之五", True),
        ("3.5亿", "35亿", False),
        ("5%", "5", False),
        ("1,000米", "1000米", True),
        ("1990-1995", "19901995", False),
        ("3~5", "3–5", True),
        ("3~5", "35", False),
        ("1,5", "15", False),
        ("-5度", "5度", False),
        ("−5度", "零下5度", True),
        ("B-52", "B52", True),
        ("5$", "5€", False),
        ("<5", ">5", False),
        ("😀", "😃", False),
        ("☺\ufe0f", "☺", True),
        ("好~", "好", True),
    ],
)
def test_signs_width_and_script(first: str, second: str, same: bool) -> None:
    assert (folded(first) == folded(second)) is same
