"""Nouns with their numbers: English plurals, Chinese measure words, and a plug-in's nouns."""

import pytest

from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.words import phrase


@pytest.mark.parametrize(
    ("count", "name", "english", "chinese"),
    [
        (1, "question", "1 question", "1 道题目"),
        (1002, "passage", "1,002 passages", "1,002 篇"),
        (2, "series", "2 series", "2 组问题"),
        (3, "recital", "3 recitals", "3 个 recital"),
    ],
)
def test_counting(count: int, name: str, english: str, chinese: str) -> None:
    assert counted(count, name) == Bilingual(english, chinese)


def test_chinese_nouns_bring_their_measure_words() -> None:
    few = phrase("compare.few", records=noun("series", several=True), few=20)
    assert few.zh.startswith("问题少于 20 组时")
    assert phrase("summary.jackknife", confidence="95%", records=noun("passage")).zh.endswith(
        "每次剔除一篇）。"
    )
    lead = phrase("spread.lead", metric="F1", unit=noun("question"))
    assert lead.zh.startswith("每道题目的 F1。")


def test_nouns_alone() -> None:
    assert noun("passage", several=True) == Bilingual("passages", "篇章")
    assert noun("recital", several=True) == Bilingual("recitals", "recital")
