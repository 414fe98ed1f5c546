"""Reading answers out of what models say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from readmark.llm.members import read_members, unquoted


@pytest.mark.parametrize(
    ("content", "answer", "form"),
    [
        ('{"answer": "the kite", "evidence": "He flew the kite."}', "the kite", "json"),
        ('```json\n{"answer": "the kite"}\n```', "the kite", "json"),
        ('```\n{"answer": "风筝",}\n```', "风筝", "loose json"),
        (
            'Sure! Here it is: {"answer": "the kite"} Hope it helps.',
            "the kite",
            "json inside words",
        ),
        ('{"answer": "one"} or rather {"answer": "two"}', "two", "json inside words"),
        ('```json\n{"answer": "a"}\n```\n```json\n{"answer": "b"}\n```', "b", "json inside words"),
        ('With {x} and { "y" in mind: {"answer": "z"}', "z", "json inside words"),
        ('<think>{"answer": "no"}</think>{"answer": "yes"}', "yes", "json"),
        ('so it must be … </think>\n{"answer": "yes"}', "yes", "json"),
        ('{"Answer": "the kite"}', "the kite", "json"),
        ('{"答案": "风筝"}', "风筝", "json"),
        ('{"result": {"answer": "the kite"}}', "the kite", "json"),
        ('{"answer": 1.50}', "1.50", "json"),
        ('{"answer": 1e400}', "1e400", "json"),
        ('{"answer": -0.0, }', "-0.0", "loose json"),
        ('{"answer": ' + "1" * 5000 + "}", "1" * 5000, "json"),
        ('{"answer": ["Mina", "Tom"]}', ["Mina", "Tom"], "json"),
        ('{"answer": null}', None, "json"),
        ("{'answer': 'Tom\\'s kite', 'evidence': None}", "Tom's kite", "loose json"),
        ("{'answer': 'Tom's kite'}", "Tom's kite", "loose json"),
        ("{“answer”：“the kite”}", "the kite", "loose json"),
        ('{"answer": "the "red" kite"}', 'the "red" kite', "loose json"),
        ("{answer: the kite}", "the kite", "loose json"),
        ('{“answer”: "\\u98ce\\u7b5d\\ud83e\\ude81"}', "风筝\U0001fa81", "loose json"),
        ('{"answer": "the kite", "evidence": "He fl', "the kite", "broken json"),
        ('{"answer": "the kite"', "the kite", "broken json"),
        ('{"answer": "the kite", "evi', "the kite", "broken json"),
        ('{"answer": "broken', "broken", "broken json"),
        ('{"answer": 19', "19", "broken json"),
        ('{"answer":', "", "broken json"),
        ('{"answer": "whole"} {"answer": "cut', "whole", "json inside words"),
        ("Let me see.\nAnswer: the kite", "the kite", "label"),
        ("**Answer:** the kite", "the kite", "label"),
        ("Answer:\n\nthe kite", "the kite", "label"),
        ("Answer: the    red\tkite", "the red\tkite", "label"),
        ("The final answer is: “the kite”", "the kite", "label"),
        ("我想了想。\n答案：风筝", "风筝", "label"),
        ("答案是：「风筝」", "风筝", "label"),
        ("Well. The answer is Tom.", "Tom", "label"),
        ("So the answer is 5 p.m.", "5 p.m.", "label"),
        ("答案是Tom", "Tom", "label"),
        ("答案是B。", "B", "label"),
        ("Thus \\boxed{B}.", "B", "label"),
        ("\\boxed{\\text{the kite}}", "the kite", "label"),
        ("The kite was red.", "The kite was red.", "words"),
        ('"the kite"', "the kite", "words"),
    ],
)
def test_an_answer_is_found_in_many_forms(content: str, answer: object, form: str) -> None:
    said = read_members(content, "answer")
    assert (said.members["answer"], said.form) == (answer, form)


def test_evidence_in_words_comes_along() -> None:
    said = read_members("Answer: red\nEvidence: “The kite was red.”", "answer")
    assert said.members == {"answer": "red", "evidence": "The kite was red."}


def test_a_rewrite_is_no_answer_to_the_question() -> None:
    said = read_members("Rewrite: Who flew the kite?\nAnswer: Tom", "rewrite")
    assert said.members["rewrite"] == "Who flew the kite?"
    assert read_members("Is the answer is no an answer?", "rewrite").form == "words"


LONG: dict[str, Callable[[int], str]] = {
    "blank after a name": lambda n: '{"answer":' + "\n" * n,
    "blank before a bracket": lambda n: '{"answer": "x",' + "\n" * n + "]",
    "thoughts begun": lambda n: "<think>" * n,
    "thoughts ended": lambda n: "</think>" * n,
    "blank in an answer": lambda n: "Answer: x" + " " * n + "y",
    "blank before a colon": lambda n: "Answer" + " " * n + "y",
    "labels": lambda n: "Answer " * n,
    "stars": lambda n: "*" * n + "\n" + ">" * n,
    "objects begun": lambda n: "{" * n,
    "members begun": lambda n: '{"answer":' * n,
    "lists begun": lambda n: '{"answer":' + "[" * n,
    "strings begun": lambda n: '{"a": "' * n,
    "quotes": lambda n: '{"answer": "' + '" ' * n,
    "backslashes": lambda n: '{"answer": "' + "\\" * n,
    "fences": lambda n: "```\n" * n,
    "boxes": lambda n: "\\boxed{" * n,
    "sentences": lambda n: "the answer is " * n,
    "digits": lambda n: '{"answer": ' + "1" * n,
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_reply_is_read_to_its_end(name: str) -> None:
    """What looks back over all that it has read does not come to an end with these."""
    said = read_members(LONG[name](200_000), "answer")
    assert set(said.members) == {"answer"}


@pytest.mark.parametrize(
    ("text", "bare"),
    [('"a"', "a"), ("“a”", "a"), ("**a**", "a"), ('"a" and "b"', '"a" and "b"'), ('"', '"')],
)
def test_quotes_around_the_whole_go(text: str, bare: str) -> None:
    assert unquoted(text) == bare
