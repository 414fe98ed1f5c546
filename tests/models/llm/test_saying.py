"""Reading answers out of what models say."""

from __future__ import annotations

import pytest

from readmark.models.llm.saying import chosen_option, read_said, unquoted, without_thoughts


@pytest.mark.parametrize(
    ("content", "answer", "form"),
    [
        ('{"answer": "the kite", "evidence": "He flew the kite."}', "the kite", "json"),
        ('```json\n{"answer": "the kite"}\n```', "the kite", "json"),
        ('```\n{"answer": "风筝",}\n```', "风筝", "json"),
        (
            'Sure! Here it is: {"answer": "the kite"} Hope it helps.',
            "the kite",
            "json inside words",
        ),
        ('{"answer": "one"} or rather {"answer": "two"}', "two", "json inside words"),
        ('<think>{"answer": "no"}</think>{"answer": "yes"}', "yes", "json"),
        ('so it must be … </think>\n{"answer": "yes"}', "yes", "json"),
        ("Let me see.\nAnswer: the kite", "the kite", "label"),
        ("**Answer:** the kite", "the kite", "label"),
        ("The final answer is: “the kite”", "the kite", "label"),
        ("我想了想。\n答案：风筝", "风筝", "label"),
        ("答案是：「风筝」", "风筝", "label"),
        ("The kite was red.", "The kite was red.", "words"),
        ('"the kite"', "the kite", "words"),
        ('{"answer": "broken', '{"answer": "broken', "words"),
    ],
)
def test_an_answer_is_found_in_many_forms(content: str, answer: str, form: str) -> None:
    said = read_said(content, "answer")
    assert (said.members["answer"], said.form) == (answer, form)


def test_evidence_in_words_comes_along() -> None:
    said = read_said("Answer: red\nEvidence: “The kite was red.”", "answer")
    assert said.members == {"answer": "red", "evidence": "The kite was red."}


def test_a_thought_that_never_ends_says_nothing() -> None:
    assert without_thoughts("<think>hm, hm") == ""


@pytest.mark.parametrize(
    ("text", "bare"),
    [('"a"', "a"), ("“a”", "a"), ("**a**", "a"), ('"a" and "b"', '"a" and "b"'), ('"', '"')],
)
def test_quotes_around_the_whole_go(text: str, bare: str) -> None:
    assert unquoted(text) == bare


OPTIONS = ("a red kite", "a kite", "two kites", "Bob")


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("B", 1),
        ("(c)", 2),
        ("C. two kites", 2),
        ("选 D", 3),
        ("A red kite", 0),
        ("A kite.", 1),
        ("It was a red kite, I think", 0),
        ("Bob", 3),
        ("E", None),
        ("nothing of the sort", None),
        ("a red kite, or two kites", None),
        ("", None),
    ],
)
def test_an_option_is_told_by_words_or_letter(said: str, at: int | None) -> None:
    assert chosen_option(said, OPTIONS) == at
