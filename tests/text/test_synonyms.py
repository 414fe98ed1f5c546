"""Synonyms, words akin and opposites."""

import pytest

from readmark.text.synonyms import SOURCE, akin, opposite, synonymous, unlike


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("喝", "饮", "drink"),
        ("提前", "提早", SOURCE),
        ("父亲", "母亲", None),
        ("哥哥", "弟弟", None),
        ("軍隊", "部队", "troop"),
    ],
)
def test_why_two_words_say_the_same(one: str, other: str, why: str | None) -> None:
    assert synonymous(one, other) == why
    assert synonymous(other, one) == why


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("父亲", "母亲", True),
        ("之前", "之后", True),
        ("军队", "士兵", True),
        ("买", "购买", False),
        ("轩芝丝", "买", False),
    ],
)
def test_known_to_differ(one: str, other: str, differ: bool) -> None:
    assert unlike(one, other) is differ


def test_a_thing_and_its_members() -> None:
    assert akin("军队", "士兵")
    assert not akin("军队", "学生")


def test_opposites() -> None:
    assert opposite("之前", "之后")
    assert not opposite("之前", "之前")
    assert not opposite("之前", "以后")
