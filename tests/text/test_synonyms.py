"""Synonyms, words akin and opposites."""

import pytest

from readmark.text.bilingual import SYNONYMS_SOURCE as SOURCE
from readmark.text.bilingual import akin, contrast, opposite, synonymous, unlike


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


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("之前", "之后", ("之前", "之后")),
        ("之前", "之前", None),
        ("之前", "以后", None),
        # Characters inside words, each in its place.
        ("南军", "北军", ("南", "北")),
        ("東歐", "西欧", ("东", "西")),
        ("东南", "西北", ("东南", "西北")),
        ("最大", "最小", ("大", "小")),
        ("最大", "小最", None),
        ("回来", "回去", None),  # 来 and 去 point, they do not exclude each other inside words
        # Listed words inside words; a line with sides has words that are near each other.
        ("超过", "不足", ("超过", "不足")),
        ("不到", "不足", None),
        ("旧", "老", None),
        ("平均气温", "平均气温", None),
        ("约五英里", "约五公里", ("英里", "公里")),
        # Units, and words that another is made of by denying it.
        ("米", "厘米", ("米", "厘米")),
        ("公里", "千米", None),
        ("元", "欧元", ("元", "欧元")),
        ("可能", "不可能", ("可能", "不可能")),
        ("总统", "副总统", ("总统", "副总统")),
        ("买", "购买", None),
        ("", "不", None),
    ],
)
def test_what_excludes_each_other(one: str, other: str, parts: tuple[str, str] | None) -> None:
    assert contrast(one, other) == parts
    assert contrast(other, one) == (parts and parts[::-1])
    assert opposite(one, other) is (parts is not None)
