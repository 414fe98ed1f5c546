"""Bags of words: the document's worked examples, and what counts as a word."""

from __future__ import annotations

import pytest

from readmark.core.errors import UsageError
from readmark.text.bags import Bags

ENGLISH = Bags("en")
CHINESE = Bags("zh")
SHARED = ("many", "sport", "play", "all", "over", "world", "grow", "up", "present-day", "form")
QUESTION = ("where", *SHARED)
ANSWER = ("nowadays", "britain", *SHARED)


def test_the_sports_question_of_the_document() -> None:
    question = ENGLISH.of(
        "Where did many sports played all over the world grow up to their present-day form?"
    )
    answer = ENGLISH.of(
        "Many sports which nowadays are played all over the world grew up to their present-day "
        "form in Britain."
    )
    assert sorted(question) == sorted(QUESTION)
    assert sorted(answer) == sorted(ANSWER)
    assert len(question & answer) == 10
    assert len(question & answer) / len(question) == pytest.approx(0.909, abs=5e-4)


@pytest.mark.parametrize(
    ("text", "bag"),
    [
        ("What is the new machine called?", "what new machine call"),
        ("Mining in the US: we can't, they won't.", "mine us can will"),
        ("A new machine has been made.", "new machine make"),
        ("The machine is called a typewriter.", "machine call typewriter"),
        ("He didn't.", ""),
        ("It's Edison’s; they're ours, we'll say I'd gone.", "edison say go"),
        ("The U.S. spent $12,000 in 1,860.5 days", "u.s. spend 12,000 1,860.5 day"),
        ("café naïve Straße", "café naïve straße"),
        ("", ""),
        ("—…!?", ""),
    ],
)
def test_english(text: str, bag: str) -> None:
    assert ENGLISH.of(text) == set(bag.split())


@pytest.mark.parametrize(
    ("text", "bag"),
    [
        ("美国人口增长了。", "美国 人口 增长 了"),
        ("他的书在桌子上，和她的笔。", "书 桌子 上 笔"),
        ("他从不浪费时间。", "从不 浪费时间"),
        ("", ""),
        ("，。！", ""),
    ],
)
def test_chinese(text: str, bag: str) -> None:
    assert CHINESE.of(text) == set(bag.split())


def test_words_that_are_cut_already() -> None:
    assert CHINESE.of_words(["他", "的", "轩芝丝", "，", "ABC"]) == {"轩芝丝", "abc"}


def test_a_third_language_is_refused() -> None:
    with pytest.raises(UsageError, match="en and zh"):
        Bags("fr")
