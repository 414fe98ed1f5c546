"""Chinese base noun phrases and their entity types on words that are tagged by hand."""

import pytest

from readmark.text.analysers.chinese_entities import entity_type, gender_of
from readmark.text.analysers.chinese_phrases import base_phrases

TAGGED: dict[str, list[tuple[str, str | None]]] = {
    "赢得/v 一场/m 比赛/n": [("一场比赛", None)],
    "英国/LOC 的/u 一所/m 名牌/n 大学/n": [("英国", "LOCATION"), ("一所名牌大学", None)],
    "两种/m 不同/a 的/u 语言/n": [("两种不同的语言", None)],
    "英国/LOC 英语/n 和/c 美国/LOC 英语/n 的/u 区别/n": [
        ("英国英语", None),
        ("美国英语", None),
        ("区别", None),
    ],
    "一门/m 为期/v 30/TIME 周/TIME 的/u 课程/n": [("一门为期30周的课程", "TIME")],
    "每周/TIME 4/TIME 小时/TIME": [("每周", "TIME"), ("4小时", "TIME")],
    "有人/r 说/v 他/r 的/u 书/n": [("有人", None), ("他的书", None)],
    "那/r 家/q 面包店/n": [("那家面包店", None)],
    "谁/r 来/v": [],
    "什么/r 书/n": [("什么书", None)],
    "一位/m 退休/v 教师/n": [("一位退休教师", "PERSON")],
    "九/m 岁/q 男孩/n": [("九岁男孩", "NUM")],
    "三千/m 册/q 图书/n": [("三千册图书", "NUM")],
    "3.3%/m": [("3.3%", "NUM")],
    "一/m 公里/q": [("一公里", "NUM")],
    "三次/m": [("三次", "NUM")],
    "五年/TIME 计划/n": [("五年计划", "TIME")],
    "1066/TIME 年/TIME 诺曼第/PER 人/n": [("1066年", "TIME"), ("诺曼第人", None)],
    "四川/LOC": [("四川", "LOCATION")],
    "三轮车/n": [("三轮车", None)],
    "火山学家/n 和/c 国家/n": [("火山学家", "PERSON"), ("国家", None)],
    "北大/ORG 的/u 医生/n": [("北大", "ORGANIZATION"), ("医生", "PERSON")],
    "后来/TIME 他们/r": [("他们", None)],
    "孩子/n 们/k": [("孩子们", None)],
    "五/TIME 小时/TIME 十一分/m": [("五小时十一分", "TIME")],
    "": [],
}


@pytest.mark.parametrize("sentence", TAGGED)
def test_phrases_and_types(sentence: str) -> None:
    tokens = [token.rsplit("/", 1) for token in sentence.split()]
    words, tags = [word for word, _ in tokens], [tag for _, tag in tokens]
    phrases = [
        ("".join(words[start:end]), entity_type(words[start:end], tags[start:end]))
        for start, end in base_phrases(words, tags)
    ]
    assert phrases == TAGGED[sentence]


def test_gender_by_title() -> None:
    assert gender_of("李女士", "") == "female"
    assert gender_of("李", "先生") == "male"
    assert gender_of("李明", "老师") is None
