"""The flat files: which columns there are, and what a row holds."""

from typing import Any

from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.tables.columns import columns_of, row
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

TEXT = "小船载着盐，大船载着盐和茶。"


def table(*questions: Question, **passage: Any) -> list[dict[str, Any]]:
    made = Passage(id="p", text=TEXT, questions=questions, **passage)
    test = in_memory(Header(language="zh"), [made])
    return [row(unit, columns_of(test)) for unit in test.units()]


def asked(id: str = "q", **key: Any) -> Question:
    return Question(id=id, text="载着什么？", key=QuestionKey(**key) if key else None)


def test_a_plain_question_has_the_usual_columns_alone() -> None:
    [only] = table(asked(answers=(Answer(text="盐和茶", start=10),)))
    assert only == {
        "id": "q",
        "passage_id": "p",
        "title": "",
        "context": TEXT,
        "question": "载着什么？",
        "answers": {"text": ["盐和茶"], "answer_start": [10], "annotator": [""]},
    }


def test_places_are_found_where_there_is_one() -> None:
    answers = (
        Answer(text="盐", annotator="甲"),  # occurs twice
        Answer(text="茶", annotator="乙"),
        Answer(text="糖", annotator="丙"),
        Answer(text="盐", start=11, annotator="丁"),
    )
    [only] = table(asked(answers=answers, published=(Phrase(text="盐和茶"),)))
    assert only["answers"] == {
        "text": ["盐", "茶", "糖", "盐", "盐和茶"],
        "answer_start": [-1, 12, -1, 11, 10],
        "annotator": ["甲", "乙", "丙", "丁", "publisher"],
    }


def test_columns_that_some_question_needs_are_in_every_row() -> None:
    first, second, third = table(
        asked("a", answers=(Answer(text="茶"),), level=3, type="What"),
        asked("b", unanswerable=True),
        asked("c"),
        article="船",
        title="两只船",
    )
    assert first.keys() == second.keys() == third.keys()
    assert [one["level"] for one in (first, second, third)] == [3, None, None]
    assert [one["unanswerable"] for one in (first, second, third)] == [False, True, None]
    assert [one["type"] for one in (first, second, third)] == ["What", None, None]
    assert (third["article"], third["title"]) == ("船", "两只船")
    assert second["answers"] == third["answers"] == {
        "text": [],
        "answer_start": [],
        "annotator": [],
    }  # fmt: skip
    assert "options" not in first


def test_levels_of_two_sorts_are_words() -> None:
    answers = (Answer(text="茶"),)
    one, other = table(
        asked("a", answers=answers, level=3), asked("b", answers=answers, level="难")
    )
    assert (one["level"], other["level"]) == ("3", "难")


def test_keys_without_answers_are_told_from_withheld_ones() -> None:
    answers = (Answer(text="茶"),)
    told = table(asked("a", answers=answers), asked("b", sentences=((0, 5),)), asked("c"))
    assert [one["unanswerable"] for one in told] == [False, False, None]
    [only] = table(asked("a", answers=answers, level=0))
    assert (only["level"], "unanswerable" in only) == (0, False)


def test_series() -> None:
    question = SeriesQuestion(
        id="s-1",
        text="他生在哪里？",
        turn=1,
        key=SeriesQuestionKey(rewrites=(Answer(text="李白生在哪里？"),)),
    )
    second = SeriesQuestion(id="s-2", text="后来呢？", turn=2, previous=("碎叶",))
    test = in_memory(
        Header(kind="series", language="zh"),
        [Series(id="s", target="李白", questions=(question, second))],
    )
    assert [row(unit, columns_of(test)) for unit in test.units()] == [
        {
            "id": "s-1",
            "series_id": "s",
            "target": "李白",
            "turn": 1,
            "question": "他生在哪里？",
            "previous": [],
            "rewrites": ["李白生在哪里？"],
        },
        {
            "id": "s-2",
            "series_id": "s",
            "target": "李白",
            "turn": 2,
            "question": "后来呢？",
            "previous": ["碎叶"],
            "rewrites": [],
        },
    ]
