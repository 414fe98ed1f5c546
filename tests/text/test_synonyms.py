"""Chinese synonyms, opposites and words of one thing."""

import pytest

from readmark.text.synonyms import SOURCE, akin, contrast, opposite, synonymous, unlike


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("喝", "饮", "drink"),
        ("提前", "提早", SOURCE),
        ("父亲", "母亲", None),
        ("哥哥", "弟弟", None),
        ("軍隊", "部队", "troop"),
    ],
)
def test_synonymous(first: str, second: str, reason: str | None) -> None:
    assert synonymous(first, second) == reason
    assert synonymous(second, first) == reason


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("父亲", "母亲", True),
        ("之前", "之后", True),
        ("军队", "士兵", True),
        ("买", "购买", False),
        ("轩芝丝", "买", False),
    ],
)
def test_unlike(first: str, second: str, differ: bool) -> None:
    assert unlike(first, second) is differ


def test_akin() -> None:
    assert akin("军队", "士兵")
    assert not akin("军队", "学生")


@pytest.mark.parametrize(
    ("first", "second", "parts"),
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
def test_contrast(first: str, second: str, parts: tuple[str, str] | None) -> None:
    assert contrast(first, second) == parts
    assert contrast(second, first) == (parts and parts[::-1])
    assert opposite(first, second) is (parts is not None)
