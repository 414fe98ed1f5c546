"""This person after a question that asks who is the answer to it, in English and Chinese."""

import pytest

from readmark.series.guided.chinese import rewrite_chinese
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.rewriter import rewrite_series


@pytest.mark.parametrize(
    ("target", "questions", "last"),
    [
        (
            "Ada Moreno",
            ["Who taught her to sail?", "Where was this person born?"],
            "Where was PREVIOUS_ANSWER born?",
        ),
        (
            "Ada Moreno",
            ["Who did she marry?", "What was that person's first job?"],
            "What was PREVIOUS_ANSWER's first job?",
        ),
        (
            "Ada Moreno",
            ["Which captain trained Moreno?", "How old is this individual?"],
            "How old is PREVIOUS_ANSWER?",
        ),
        (  # a question between them is about the same person
            "Ada Moreno",
            ["Who was her husband?", "Did this person sail?", "When did this person die?"],
            "When did PREVIOUS_ANSWER die?",
        ),
        (  # he married her: this man is the answer, this woman is not
            "Ada Moreno",
            ["Who was her husband?", "When did this man die?"],
            "When did PREVIOUS_ANSWER die?",
        ),
        (
            "the Harbour Race",
            ["Who founded the race?", "What did this person build?"],
            "What did PREVIOUS_ANSWER build?",
        ),
        (
            "",
            ["Who founded the Harbour Race?", "What was this person's trade?"],
            "What was PREVIOUS_ANSWER's trade?",
        ),
    ],
)
def test_this_person_is_the_answer_to_who(target: str, questions: list[str], last: str) -> None:
    kind = "person" if target == "Ada Moreno" else None
    made = rewrite_series(target, questions, type=kind)[-1]
    assert made.text == last
    assert [edit.earlier for edit in made.edits] == [0]


@pytest.mark.parametrize(
    ("questions", "last"),
    [
        (["When was she born?", "Where does this person live?"], "Where does Ada Moreno live?"),
        (["Who is Ada Moreno?", "Where was this person born?"], "Where was Ada Moreno born?"),
        (["Who is she?", "Where was this person born?"], "Where was Ada Moreno born?"),
        (["Who was her husband?", "When did this woman die?"], "When did Ada Moreno die?"),
        (["Who were her rivals?", "Where was this person born?"], "Where was Ada Moreno born?"),
        (
            ["Who was her husband?", "When did she die?", "Where was this person born?"],
            "Where was Ada Moreno born?",
        ),
    ],
)
def test_else_this_person_is_the_target(questions: list[str], last: str) -> None:
    assert rewrite_series("Ada Moreno", questions, type="person")[-1].text == last


@pytest.mark.parametrize(
    ("previous", "last"),
    [
        ("answer", "Where was Li Wei born?"),
        ("question", "Where was the person who taught Ada Moreno born?"),
    ],
)
def test_this_person_is_said_as_asked_for(previous: str, last: str) -> None:
    made = rewrite_series(
        "Ada Moreno",
        ["Who taught Ada Moreno?", "Where was this person born?"],
        type="person",
        known=KnownAnswers([(), ("Li Wei",)]),
        previous=previous,
    )
    assert made[-1].text == last


@pytest.mark.parametrize(
    ("target", "questions", "last"),
    [
        ("王芳", ["谁教她航海？", "这个人出生在哪里？"], "PREVIOUS_ANSWER出生在哪里？"),
        ("王芳", ["她的丈夫是谁？", "此人是怎么去世的？"], "PREVIOUS_ANSWER是怎么去世的？"),
        (
            "王芳",
            ["谁教她航海？", "这个人多大？", "该人的故乡在哪里？"],
            "PREVIOUS_ANSWER的故乡在哪里？",
        ),
        ("王芳", ["誰教她航海？", "這個人住在哪裡？"], "PREVIOUS_ANSWER住在哪裡？"),
        ("港口帆船赛", ["港口帆船赛是谁创办的？", "此人造过什么？"], "PREVIOUS_ANSWER造过什么？"),
        ("", ["谁创办了帆船赛？", "这个人造过什么？"], "PREVIOUS_ANSWER造过什么？"),
        ("王芳", ["王芳是谁？", "这个人出生在哪里？"], "王芳出生在哪里？"),
        ("王芳", ["王芳出生在哪里？", "这个人写过什么？"], "王芳写过什么？"),
    ],
)
def test_zhege_ren_is_the_answer_to_who(target: str, questions: list[str], last: str) -> None:
    kind = "person" if target == "王芳" else None
    assert rewrite_chinese(target, questions, type=kind)[-1].text == last
