"""A number and its measure word are one token; a number alone stays as it is."""

from __future__ import annotations

import pytest

from readmark.text.analysers.chinese_measures import with_measures
from readmark.text.segmenter import Tagged


def tokens_of(words: str) -> tuple[str, list[Tagged]]:
    """A text and its tokens, from words such as ``一/m 门/q``; ``_`` is a space in the text."""
    text = ""
    tokens: list[Tagged] = []
    for word in words.split():
        if word == "_":
            text += " "
            continue
        characters, tag = word.split("/")
        tokens.append((len(text), len(text) + len(characters), tag))
        text += characters
    return text, tokens


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("学/v 一/m 门/q 课/n", "学/v 一门/m 课/n"),
        ("4/m 小时/TIME", "4小时/TIME"),
        ("154/m 米/n", "154米/m"),  # 米 is a noun by its tag, a measure word by its list
        ("两千/m 三百/m 册/q", "两千三百册/m"),
        ("2,300/m 多/m 人/n", "2,300多人/m"),
        ("一/m 天/n 一/m 夜/n", "一天/m 一/m 夜/n"),
        ("共/d 三/m", "共/d 三/m"),
        ("三/m _ 个/q", "三/m 个/q"),  # not right after it
        ("", ""),
    ],
)
def test_numbers_with_measure_words(words: str, expected: str) -> None:
    text, tokens = tokens_of(words)
    measured = with_measures(text, tokens)
    assert " ".join(f"{text[start:end]}/{tag}" for start, end, tag in measured) == expected
