"""What Chinese and English questions ask for, and whether it may be the same."""

import pytest

from readmark.text.questions.same_question import (
    asked_in_chinese,
    asked_in_english,
    asks_the_same,
    question_words,
)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("他什么时候来？", {"when"}),
        ("他在什麼地方？", {"where"}),
        ("该音乐把什么作为中心", {"what"}),
        ("原因是什么？", {"what", "why"}),
        ("任何人都行。", set()),
        ("后来怎么样？", {"how", "what"}),
        ("有多少人？", {"quantity"}),
    ],
)
def test_chinese_questions(text: str, classes: set[str]) -> None:
    assert asked_in_chinese(text) == classes


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("How many came?", {"quantity"}),
        ("How did he come?", {"how"}),
        ("Whose is it?", {"who"}),
        ("In which year?", {"which"}),
        ("He came.", set()),
    ],
)
def test_english_questions(text: str, classes: set[str]) -> None:
    assert asked_in_english(text) == classes


def test_where_question_words_occur() -> None:
    assert question_words("他何时去哪里") == [(1, 3, "when"), (4, 6, "where")]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({"where"}, {"what"}, False),
        ({"what"}, {"which"}, True),
        ({"what"}, {"how"}, True),
        ({"who"}, {"when"}, False),
        ({"what", "why"}, {"why"}, True),
        (set(), {"who"}, True),
    ],
)
def test_asks_the_same(first: set[str], second: set[str], same: bool) -> None:
    assert asks_the_same(frozenset(first), frozenset(second)) is same
    assert asks_the_same(frozenset(second), frozenset(first)) is same
