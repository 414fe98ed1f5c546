"""Chinese series: pronouns, 该 and 这, short names and dropped subjects."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.models.rewriting.chinese import rewrite_chinese
from strategies import texts


@pytest.mark.parametrize(
    ("target", "type", "questions", "rewritten"),
    [
        ("林远舟", "person", ["他出生在哪里？"], ["林远舟出生在哪里？"]),
        ("林远舟", "person", ["其父以什么为业？"], ["林远舟的父亲以什么为业？"]),
        (
            "白石水库",
            "place",
            ["谁设计了它？", "他是哪国人？"],
            ["谁设计了白石水库？", "PREVIOUS_ANSWER是哪国人？"],
        ),
        ("白石水库", "place", ["该水库有多深？"], ["白石水库有多深？"]),
        ("白石水库", "place", ["有多少座桥？"], ["白石水库有多少座桥？"]),
        ("白石博物馆", "organisation", ["馆长是谁？"], ["白石博物馆的馆长是谁？"]),
        ("北方渡轮局（NFB）", None, ["NFB有几艘船？"], ["北方渡轮局（NFB）有几艘船？"]),
        ("白石水库", "place", ["白石水库在哪里？"], ["白石水库在哪里？"]),
        ("", None, ["他出生在哪里？"], ["他出生在哪里？"]),
    ],
)
def test_rewrites(
    target: str, type: str | None, questions: list[str], rewritten: list[str]
) -> None:
    assert [one.text for one in rewrite_chinese(target, questions, type=type)] == rewritten


def test_a_known_answer_takes_the_variable_s_place() -> None:
    asked = ["谁设计了白石水库？", "他是哪国人？"]
    made = rewrite_chinese("白石水库", asked, known=[(), ("林远舟",)], previous="answer")
    assert made[1].text == "林远舟是哪国人？"


@given(texts, st.lists(texts, max_size=3))
@settings(max_examples=100, deadline=None)
def test_whatever_the_strings_every_question_gets_its_rewrite(
    target: str, questions: list[str]
) -> None:
    assert len(rewrite_chinese(target, questions)) == len(questions)
