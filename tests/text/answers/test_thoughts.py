"""Replies without their thoughts, and why nothing is left of some."""

import pytest

from readmark.text.answers.thoughts import why_empty, without_thoughts


@pytest.mark.parametrize(
    ("reply", "expected", "reason"),
    [
        ("nine", "nine", None),
        ("a </p> b", "a </p> b", None),
        ("<think>ten?</think>nine", "nine", None),
        ("ten?</think>nine", "nine", None),
        ("<Thinking>ten?</Thinking> nine <think>or ten", " nine ", None),
        ("<think>a</think><reasoning>b</reasoning>nine", "nine", None),
        ("<Thinking>a</Thinking>b<reasoning>c</reasoning>d", "bd", None),
        ("<think>a<think>b</think>c</think>d", "d", None),
        ("a</think>b<THINK>c</THINK>d", "bd", None),
        ("a < b", "a < b", None),
        ("", "", "empty"),
        ("\n", "\n", "empty"),
        ("<think>ten?</think>\n", "\n", "reasoning only"),
        ("<think>ten", "", "cut off while reasoning"),
    ],
)
def test_without_thoughts(reply: str, expected: str, reason: str | None) -> None:
    assert without_thoughts(reply) == expected
    assert why_empty(reply) == reason
