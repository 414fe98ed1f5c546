"""Which earlier question PREVIOUS_ANSWER means, and whose known answer may stand for it."""

import pytest

from readmark.core.records import Answer
from readmark.series.metrics.golds import answers_meant, question_meant
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey


def asked(
    id: str,
    text: str,
    *golds: str,
    refers: str | None = None,
    previous: tuple[str, ...] = (),
    of: str | None = None,
    category: str = "FACTOID",
) -> SeriesQuestion:
    rewrites = tuple(Answer(text=gold) for gold in golds)
    key = SeriesQuestionKey(rewrites=rewrites, refers=refers)
    return SeriesQuestion(
        id=id, text=text, category=category, previous=previous, previous_of=of, key=key
    )


WON = asked("1", "Who won the cup?", "Who won the Ely cup?")
TOWN = asked(
    "2",
    "Which town did the winner come from?",
    "Which town did PREVIOUS_ANSWER come from?",
    "Which town did the winner of the Ely cup come from?",
    previous=("Ada Pell",),
    of="1",
)
ASKED = "How many rivals did the winner have?"
LEANING = "How many rivals did PREVIOUS_ANSWER have?"
EMBEDDING = "How many rivals did the winner of the Ely cup have?"


def meant(*earlier: SeriesQuestion, last: SeriesQuestion) -> tuple[str | None, tuple[str, ...]]:
    series = Series(id="s", target="Ely cup", questions=(*earlier, last))
    question = question_meant(series, last)
    return None if question is None else question.id, answers_meant(series, last)


@pytest.mark.parametrize(
    ("golds", "refers", "id", "answers"),
    [
        ((LEANING, EMBEDDING), None, "1", ("Ada Pell",)),
        ((LEANING, "How many rivals did the town of the winner have?"), None, "2", ("Lindow",)),
        ((LEANING,), None, "2", ("Lindow",)),
        ((LEANING,), "1", "1", ("Ada Pell",)),
        ((LEANING, EMBEDDING), "2", "2", ("Lindow",)),
        ((LEANING,), "gone", None, ()),
    ],
)
def test_the_question_that_is_meant(
    golds: tuple[str, ...], refers: str | None, id: str | None, answers: tuple[str, ...]
) -> None:
    last = asked("3", ASKED, *golds, refers=refers, previous=("Lindow",), of="2")
    assert meant(WON, TOWN, last=last) == (id, answers)


def test_nobody_knows_the_answer_that_is_meant() -> None:
    town = asked("2", "Which town did the winner come from?")
    last = asked("3", ASKED, LEANING, EMBEDDING, previous=("Lindow",), of="2")
    assert meant(WON, town, last=last) == ("1", ())


def test_answers_of_no_named_question_are_those_that_are_leant_on() -> None:
    last = asked("3", ASKED, LEANING, EMBEDDING, previous=("Bo", " "))
    assert meant(WON, TOWN, last=last) == ("1", ("Bo",))


def test_an_other_question_and_none_at_all() -> None:
    other = asked("2", "Anything else?", category="OTHER")
    assert meant(WON, other, last=asked("3", ASKED, LEANING)) == ("1", ())
    assert meant(last=asked("3", ASKED, LEANING)) == (None, ())


def test_chinese_questions_are_told_apart_by_characters() -> None:
    first = asked("1", "冠军是谁？", "云脊山赛的冠军是谁？")
    second = asked("2", "她的职业是什么？", "PREVIOUS_ANSWER的职业是什么？")
    last = asked("3", "她跑了多久？", "PREVIOUS_ANSWER跑了多久？", "云脊山赛的冠军跑了多久？")
    assert meant(first, second, last=last)[0] == "1"
