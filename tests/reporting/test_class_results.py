"""Which answers of pupils are right."""

from __future__ import annotations

import pytest

from made import asked, comprehension, passage, sat
from readmark.reporting import mark_class


@pytest.mark.parametrize(
    ("least_f1", "verdicts"),
    [
        (None, ["right", "right", "part", "wrong"]),  # 0.8, unless it is stated
        (0.81, ["right", "part", "part", "wrong"]),
        (0.5, ["right", "right", "right", "wrong"]),
    ],
)
def test_an_answer_is_right_from_the_threshold_on(
    least_f1: float | None, verdicts: list[str]
) -> None:
    test = comprehension(passage("p", asked("q", "red kettle"), text="The old red kettle stood."))
    answers = {
        "Amber": "the red kettle",  # an article does not count: F1 1
        "Blue": "old red kettle",  # 2 of 3 words: F1 0.8, which the grid of statistics rounds down
        "Calm": "kettle stood",  # 1 of 2 words: F1 0.5
        "Dove": "stove",
    }
    sittings = {name: sat({"q": answer}) for name, answer in answers.items()}
    finished = {name: {"p"} for name in answers}
    results = mark_class(test, sittings, finished=finished, least_f1=least_f1)
    [question] = results.questions
    assert [results.verdict(question.marks[name]) for name in answers] == verdicts
    assert question.right == verdicts.count("right")
    assert [results.right_of(name) for name in answers] == [int(v == "right") for v in verdicts]
