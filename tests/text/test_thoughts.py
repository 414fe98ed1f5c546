"""What a model said, without what it thought."""

import pytest

from readmark.text.answers.replies import why_nothing, without_thoughts


@pytest.mark.parametrize(
    ("reply", "said", "nothing"),
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
def test_thoughts_are_not_said(reply: str, said: str, nothing: str | None) -> None:
    assert without_thoughts(reply) == said
    assert why_nothing(reply) == nothing
