"""What was found by characters, told in whole words."""

import pytest

from readmark.comprehension.levels.whole_words import longest_stretch, with_noun


@pytest.mark.parametrize(
    ("text", "phrase", "whole"),
    [
        ("该画院于1937年停办", "该画", "该画院"),
        ("后来这张专辑在柳镇录制", "这张", "这张专辑"),
        ("这些城堡很老", "这些", "这些城堡"),
        ("他在此地住过", "此地", "此地"),
        ("该店", "该店", "该店"),
        ("这种很好", "这种", "这种"),  # no noun follows
    ],
)
def test_with_noun(text: str, phrase: str, whole: str) -> None:
    start = text.index(phrase)
    assert with_noun(text, start, start + len(phrase)) == whole


@pytest.mark.parametrize(
    ("text", "lost", "expected"),
    [
        ("青溪桥的地理位置在哪", "地理位置", "地理位置"),
        ("哪些洲有过发现", "洲有", "洲"),  # a small word at the end
        ("哪个机构对城市发起立法", "机构对城市", "机构"),  # a preposition parts them
        ("有谁", "有", ""),
        ("谁", "", ""),
    ],
)
def test_longest_stretch(text: str, lost: str, expected: str) -> None:
    first = text.index(lost)
    last = first + len(lost)
    stretch = longest_stretch(text, lambda start, end: first <= start and end <= last)
    assert stretch == expected
