"""Coarse types of questions, and the noun that is wanted."""

import pytest

from readmark.text.questions.coarse_types import COARSE_TYPES, coarse_type, focus


@pytest.mark.parametrize(
    ("question", "language", "type"),
    [
        ("who built the mill?", "en", "who"),
        ("in what year did it burn?", "en", "when"),
        ("which city has two towers?", "en", "where"),
        ("how many boats came?", "en", "quantity"),
        ("why did she leave?", "en", "why"),
        ("how did they cross?", "en", "how"),
        ("what is a lathe?", "en", "definition"),
        ("谁补好了渔网？", "zh", "who"),
        ("水车是哪一年坏的？", "zh", "when"),
        ("桥有多长？", "zh", "quantity"),
        ("他为什么离开？", "zh", "why"),
        ("老周做了什么？", "zh", "what"),
    ],
)
def test_coarse_type(question: str, language: str, type: str) -> None:
    assert COARSE_TYPES[coarse_type(question, language)] == type


@pytest.mark.parametrize(
    ("words", "function", "language", "nouns"),
    [
        ("what small town has the oldest mill", "what has the", "en", "small town"),
        ("哪个 老 城市 最 大", "哪个", "zh", "老"),
        ("首都 是 什么", "是 什么", "zh", "首都"),
        ("it is old", "it is", "en", ""),
    ],
)
def test_focus_is_the_noun_that_is_wanted(
    words: str, function: str, language: str, nouns: str
) -> None:
    tokens = words.split()
    marks = focus(tokens, [token in function.split() for token in tokens], language)
    assert [token for token, mark in zip(tokens, marks, strict=True) if mark] == nouns.split()
