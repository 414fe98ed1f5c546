"""The words that reasoning goes by: what they find, and what only looks like them."""

import pytest

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.passages import tagged
from readmark.text.questions.phrases import question_phrases


@pytest.mark.parametrize(
    ("language", "name", "text", "expected"),
    [
        ("zh", "pronoun", "后来他病了", "他"),
        ("zh", "pronoun", "其支流有二", "其"),
        ("zh", "pronoun", "尤其是其他人", None),
        ("zh", "pronoun", "其中有三座", None),
        ("zh", "nominal", "该片很长", "该片"),
        ("zh", "nominal", "，本书共三卷", "本书"),
        ("zh", "nominal", "日本人喜欢笔记本", None),
        ("zh", "nominal", "因此停工，此外无事", None),
        ("zh", "nominal", "两人都在", "两人"),
        ("zh", "asks_cause", "他为什么走？", "为什么"),
        ("zh", "asks_cause", "店名改为什么？", None),
        ("zh", "asks_cause", "官方语言为何？", None),
        ("zh", "asks_cause", "停工的原因是什么？", "原因是"),
        ("zh", "carries_cause", "此地因何而得名", "因何而"),
        ("zh", "time", "1782年3月", "1782年3月"),
        ("zh", "time", "光绪二十八年", "光绪二十八年"),
        ("zh", "time_reference", "同年迁往北街", "同年"),
        ("zh", "time_reference", "1981年间出版", None),
        ("zh", "asks_comparison", "谁跑得最快", "谁跑得最"),
        ("zh", "asks_comparison", "最后谁赢了", None),
        ("en", "pronoun", "with it, she left", "it"),
        ("en", "pronoun", "the kitten hit the wither", None),
        ("en", "nominal", "later this method failed", "this method"),
        ("en", "nominal", "the band broke up", "the band"),
        ("en", "asks_cause", "why did it stop?", "why"),
        ("en", "asks_cause", "what was the reason for it?", "what was the reason"),
        ("en", "time_reference", "the next year she left", "the next year"),
        ("en", "time", "on 3 may 1990", "3 may 1990"),
        ("en", "asks_comparison", "which is larger?", "larger"),
        ("en", "asks_comparison", "where is the river?", None),
    ],
)
def test_cues(language: str, name: str, text: str, expected: str | None) -> None:
    match = getattr(cues(language), name).search(text)
    assert (match[0] if match else None) == expected


def test_closed_class_words() -> None:
    assert {"的", "了", "是", "为", "被", "则", "只", "并", "可", "能"} <= cues("zh").closed
    assert {"the", "of", "did", "was"} <= cues("en").closed
    assert not cues("zh").closed & set("桥年人大")


@pytest.mark.parametrize(
    ("language", "text", "phrases"),
    [
        ("en", "how many cars are there", ["how many", "how many cars"]),
        ("en", "what fell down", ["what"]),
        ("zh", "他为什么走", ["为什么"]),
        ("zh", "他在哪个城市出生", ["哪个", "哪个城市"]),
    ],
)
def test_question_phrases(language: str, text: str, phrases: list[str]) -> None:
    words = tagged(text) if language == "zh" else []
    phrases_found = question_phrases(text, language, words)
    assert [text[start:end] for start, end in phrases_found] == phrases
