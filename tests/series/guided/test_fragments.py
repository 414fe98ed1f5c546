"""Fragments, groups, couples and what is left out: each series with what it becomes."""

import pytest

from readmark.series.guided.chinese import rewrite_chinese
from readmark.series.guided.rewriter import rewrite_series

ENGLISH = [
    (
        "Lindau fire",
        "event",
        ("How many red and black barges burned?", "burned in the Lindau fire?"),
        ("How many of them sank?", "red and black barges that burned in the Lindau fire sank?"),
        ("Did the mayor resign in response?", "resign in response to the Lindau fire?"),
        ("When?", "When did the mayor resign in response to the Lindau fire?"),
        ("Where is the town?", "Where is Lindau?"),
    ),
    (
        "Brothers Vell",
        "person",
        ("Which of them was the elder?", "Which of the Brothers Vell was the elder?"),
        ("Whom did he marry?", "Whom did PREVIOUS_ANSWER marry?"),
        ("Where did the two live?", "Where did the Brothers Vell live?"),
    ),
    (
        "Otto and Ida Brand",
        "person",
        ("How did Otto die?", "How did Otto Brand die?"),
        ("Where did the couple meet?", "Where did Otto and Ida Brand meet?"),
        ("Who was their elder son?", "Who was Otto and Ida Brand's elder son?"),
        ("What did he build?", "What did PREVIOUS_ANSWER build?"),
    ),
    (
        "Mara Orrin",
        "person",
        ("Who was her husband?", "Who was Mara Orrin's husband?"),
        ("Where was he born?", "Where was PREVIOUS_ANSWER born?"),
        ("How many boats did the couple own?", "did Mara Orrin and PREVIOUS_ANSWER own?"),
    ),
    (
        "Harl Company",
        "organisation",
        ("How many clerks does it have?", "How many clerks does Harl Company have?"),
        ("And how many lathes?", "How many lathes does Harl Company have?"),
        ("How many wheels did it sell in 1902?", "did Harl Company sell in 1902?"),
        ("And in 1903?", "How many wheels did Harl Company sell in 1903?"),
    ),
    (
        "Fennel Sisters",
        "organisation",
        ("What was their first single?", "What was the Fennel Sisters' first single?"),
        ("Did it reach number one?", "Did PREVIOUS_ANSWER reach number one?"),
    ),
    (
        "Tarn",
        "place",
        ("What is the capital?", "What is the capital of Tarn?"),
        ("What language do they speak?", "What language do they speak in Tarn?"),
        ("Who climbed the highest hill?", "Who climbed the highest hill in Tarn?"),
        ("Why?", "Why did PREVIOUS_ANSWER climb the highest hill in Tarn?"),
    ),
    (
        "Orrin Runner",
        "thing",
        ("How fast is the car?", "How fast is the Orrin Runner?"),
        ("How many were made?", "How many Orrin Runners were made?"),
        ("How long did it take to build?", "How long did it take to build the Orrin Runner?"),
    ),
]
CHINESE = [
    (
        "白石馆",
        "organisation",
        ("门票多少钱一张？", "白石馆门票多少钱一张？"),
        ("学生票呢？", "白石馆学生票多少钱一张？"),
        ("有多少个展厅？", "白石馆有多少个展厅？"),
        ("其中最大的是哪一个？", "白石馆的展厅中最大的是哪一个？"),
    ),
    (
        "白石大地震",
        "event",
        ("有多少人遇难？", "白石大地震有多少人遇难？"),
        ("受伤的呢？", "白石大地震有多少人受伤？"),
        ("地震持续了多久？", "白石大地震持续了多久？"),
    ),
    (
        "王石和李云",
        "person",
        ("他们是哪一年结婚的？", "王石和李云是哪一年结婚的？"),
        ("李云写过哪些诗？", "李云写过哪些诗？"),
        ("夫妇俩去过哪里？", "王石和李云去过哪里？"),
    ),
    (
        "林石",
        "person",
        ("她的丈夫是谁？", "林石的丈夫是谁？"),
        ("夫妇俩有几个孩子？", "林石和PREVIOUS_ANSWER有几个孩子？"),
        ("她得过几次白石奖？", "林石得过几次白石奖？"),
        ("第二次是哪一年？", "林石第二次得白石奖是哪一年？"),
    ),
    (
        "白石塔",
        "place",
        ("它是谁设计的？", "白石塔是谁设计的？"),
        ("哪一年？", "白石塔是哪一年设计的？"),
        ("有多高？", "白石塔有多高？"),
        ("宽呢？", "白石塔有多宽？"),
    ),
]


@pytest.mark.parametrize("case", ENGLISH, ids=lambda case: case[0])
def test_english(case: tuple[str, ...]) -> None:
    target, type, *pairs = case
    made = rewrite_series(target, [asked for asked, _ in pairs], type=type)
    for rewrite, (asked, wanted) in zip(made, pairs, strict=True):
        assert rewrite.text.endswith(wanted), (asked, rewrite.text)


@pytest.mark.parametrize("case", CHINESE, ids=lambda case: case[0])
def test_chinese(case: tuple[str, ...]) -> None:
    target, type, *pairs = case
    made = rewrite_chinese(target, [asked for asked, _ in pairs], type=type)
    assert [one.text for one in made] == [wanted for _, wanted in pairs]
