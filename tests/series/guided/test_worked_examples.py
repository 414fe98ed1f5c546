"""The guidelines as code: the document's worked examples."""

import pytest

from readmark.series.guided.edits import Rewrite
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.rewriter import rewrite_series


def texts_of(done: list[Rewrite]) -> list[str]:
    return [one.text for one in done]


@pytest.mark.parametrize(
    ("target", "question", "rewritten"),
    [
        ("Jay-Z", "When was he born?", "When was Jay-Z born?"),
        (
            "Jasper Fforde",
            "What year was his first book written?",
            "What year was Jasper Fforde's first book written?",
        ),
        (
            "Sony Pictures Entertainment (SPE)",
            "What U.S. company did Sony purchase to form SPE?",
            "What U.S. company did Sony purchase to form Sony Pictures Entertainment (SPE)?",
        ),
        (
            "Nissan Corp",
            "What was Nissan formerly known as?",
            "What was Nissan Corp formerly known as?",
        ),
        ("Chunnel", "How long is the Chunnel?", "How long is the Chunnel?"),
        (
            "Church of Jesus Christ of Latter-day Saints (Mormons)",
            "Who founded the Church of Jesus Christ of Latter-day Saints?",
            "Who founded the Church of Jesus Christ of Latter-day Saints (Mormons)?",
        ),
        (
            "1991 eruption of Mount Pinatubo",
            "How many people were killed?",
            "How many people were killed in the 1991 eruption of Mount Pinatubo?",
        ),
        ("William Shakespeare", "Who was Shakespeare?", "Who was William Shakespeare?"),
        (
            "1980 Mount St. Helens eruption",
            "How many people died when it erupted?",
            "How many people died when Mount St. Helens erupted in 1980?",
        ),
    ],
)
def test_single_questions_of_the_document(target: str, question: str, rewritten: str) -> None:
    [made] = rewrite_series(target, [question])
    assert made.text == rewritten


MIERS = "Harriet Miers withdraws nomination to Supreme Court"
NOMINATED = [
    "Who nominated Harriet Miers for the post?",
    "What criterion did this person cite in nominating Miers?",
]


@pytest.mark.parametrize(
    ("previous", "rewritten"),
    [
        ("variable", "What criterion did PREVIOUS_ANSWER cite in nominating Harriet Miers?"),
        (
            "question",
            "What criterion did the person who nominated Harriet Miers for the post cite in "
            "nominating Harriet Miers?",
        ),
        ("answer", "What criterion did the President cite in nominating Harriet Miers?"),
    ],
)
def test_an_earlier_answer_is_the_variable_the_question_or_the_answer(
    previous: str, rewritten: str
) -> None:
    known = [(), ("the President",)]
    made = rewrite_series(MIERS, NOMINATED, known=KnownAnswers(known), previous=previous)
    assert texts_of(made) == [NOMINATED[0], rewritten]
    assert made[1].edits[0].earlier == 0


def test_an_unknown_answer_falls_back_to_the_question() -> None:
    made = rewrite_series(MIERS, NOMINATED, previous="answer")
    assert "the person who nominated Harriet Miers" in made[1].text


def test_the_hindenburg_is_a_craft_and_them_are_people() -> None:
    made = rewrite_series(
        "Hindenburg disaster",
        [
            "What type of craft was the Hindenburg?",
            "How fast could it travel?",
            "Where did the disaster occur?",
            "How many people were on board?",
            "How many of them were killed?",
        ],
    )
    assert texts_of(made) == [
        "What type of craft was the Hindenburg?",
        "How fast could the Hindenburg travel?",
        "Where did the Hindenburg disaster occur?",
        "How many people were on board the Hindenburg?",
        "How many people were killed in the Hindenburg disaster?",
    ]


@pytest.mark.parametrize("person", ["persons", "person's"])
def test_the_shiite_series_leans_on_the_nearest_person(person: str) -> None:
    made = rewrite_series(
        "Shiite",
        [
            "Who was the first Imam of the Shiite sect of Islam?",
            "Where is his tomb?",
            f"What was this {person} relationship to the Prophet Mohammad?",
            "Who was the third Imam of Shiite Muslims?",
            "When did he die?",
        ],
    )
    assert texts_of(made)[1:] == [
        "Where is PREVIOUS_ANSWER's tomb?",
        "What was PREVIOUS_ANSWER's relationship to the Prophet Mohammad?",
        "Who was the third Imam of Shiite Muslims?",
        "When did PREVIOUS_ANSWER die?",
    ]
    assert [[edit.earlier for edit in one.edits] for one in made] == [[], [0], [0], [], [3]]
