"""Whether one sentence gives the answer, on passages written for it."""

import pytest

from installed import require
from readmark.making.challenge.clues import read
from readmark.making.challenge.deduction import DeductionLimits, deduce

require("rjieba")

ZH = (
    "灯塔镇的造船厂一共有三个车间。",
    "第一车间生产渔船，由赵师傅带队。",
    "第二车间修理旧帆船，由钱师傅带队。",
    "去年台风吹坏了港口的大吊车。",
    "带队修理旧帆船的那位师傅连夜赶来，用两天修好了吊车。",
    "后来镇长奖给他一面锦旗。",
)
EN = (
    "Three gardens lie along the canal in Wexley.",
    "The first was planted by a retired sailor and grows only roses.",
    "The second belongs to the Ashdown school.",
    "Last autumn a flood carried away the wooden footbridge.",
    "Pupils of that school rebuilt it with planks from an old barn.",
)


@pytest.mark.parametrize(
    ("question", "holding", "single"),
    [
        ("第二车间由谁带队？", [2], True),
        ("谁连夜赶来修好了被台风吹坏的吊车？", [2], False),
        ("镇长奖给连夜修好吊车的师傅什么？", [5], False),
        ("去年什么吹坏了港口的大吊车？", [3], True),
        ("灯塔镇的造船厂有几个车间？", [0], True),
    ],
)
def test_chinese(question: str, holding: list[int], single: bool) -> None:
    deduction = deduce(question, holding, read(ZH, "zh"), "zh")
    assert deduction.single is single, deduction.why
    assert bool(deduction.joined) is not single
    assert holding[0] not in deduction.joined


@pytest.mark.parametrize(
    ("question", "holding", "single"),
    [
        ("Who planted the garden that grows only roses?", [1], True),
        ("What did the flood carry away last autumn?", [3], True),
        ("Which school rebuilt the footbridge that the flood carried away?", [2], False),
    ],
)
def test_english(question: str, holding: list[int], single: bool) -> None:
    deduction = deduce(question, holding, read(EN, "en"), "en")
    assert deduction.single is single, deduction.why


def test_what_must_be_joined_is_said() -> None:
    deduction = deduce("谁连夜赶来修好了被台风吹坏的吊车？", [2], read(ZH, "zh"), "zh")
    assert deduction.sentence == 2
    assert 4 in deduction.joined
    assert "台风" in deduction.missing
    assert "elsewhere: " in deduction.why


def test_the_thresholds_decide() -> None:
    passage = read(ZH, "zh")
    question = "谁连夜赶来修好了被台风吹坏的吊车？"
    assert deduce(question, [2], passage, "zh", limits=DeductionLimits(covered=0.0)).single
    deduction = deduce(question, [2], passage, "zh", limits=DeductionLimits(joined=1.1))
    assert (deduction.single, deduction.undecided) == (False, True)
    assert deduction.why.endswith("; a person must decide")


@pytest.mark.parametrize(
    ("question", "holding", "undecided"),
    [
        # Not a word of it is in the passage: no sentence can be said to answer it.
        ("谁获得了政府表彰？", [2], True),
        ("抢修灾后设备的功臣姓甚名谁？", [2], True),
        # Most of it is in one sentence, whatever the rest means.
        ("第二车间由哪位能人带队？", [2], False),
        # It needs several sentences, and that is shown.
        ("谁连夜赶来修好了被台风吹坏的吊车？", [2], False),
    ],
)
def test_words_that_occur_nowhere_decide_nothing(
    question: str, holding: list[int], undecided: bool
) -> None:
    deduction = deduce(question, holding, read(ZH, "zh"), "zh")
    assert deduction.undecided is undecided, deduction.why
    assert not (deduction.undecided and deduction.single)
    assert ("occurs nowhere" in deduction.why) is undecided


def test_nothing_to_go_by() -> None:
    assert deduce("谁？", [0], read(ZH, "zh"), "zh").single
    assert not deduce("谁来了？", [], read(ZH, "zh"), "zh").single
    assert deduce("谁？", [0], read([""], "zh"), "zh").single
