"""Chinese words as the BRCC document cuts them: a number and its measure word are one."""

import pytest

from readmark.text.analysers.registry import analyser


def words(text: str) -> list[str]:
    [analysis] = analyser("zh").analyse([text], ("token",))
    return [text[start:end] for start, end in analysis.layers["token"].spans]


# What Table 9 and section 4.4 of the document have as one word, in its own sentences.
TABLE_9 = (
    "想像一下：你刚赢得一场比赛，其奖赏是在英国或美国的一所名牌大学学习一门英语语言课程。"
    "你可以选一门为期30周的课程，每周学习4小时，或者选一门为期4周的课程，每周30小时。"
)


def test_numbers_and_measure_words_of_table_9() -> None:
    cut = words(TABLE_9)
    for word in ("一下", "一场", "一所", "一门", "30周", "每周", "4小时", "4周", "30小时"):
        assert cut.count(word) == TABLE_9.count(word)
    assert not {"30", "4", "周", "小时", "门", "场", "所"} & {*cut}


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("他在1066年来了。", "他 在 1066年 来 了 。"),
        ("这座塔有154米。", "这座 塔 有 154米 。"),
        ("他卖了两千三百册。", "他 卖 了 两千三百册 。"),
        ("2021年3月5日", "2021年 3月 5日"),
        ("人口增长了3.3%。", "人口 增长 了 3.3% 。"),
        ("房间是305。", "房间 是 305 。"),
        ("他走了3 公里。", "他 走 了 3 公里 。"),  # a space keeps words apart
    ],
)
def test_by_hand(text: str, cut: str) -> None:
    assert words(text) == cut.split()
