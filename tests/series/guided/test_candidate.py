"""The guided rewriter as a candidate: rows, evidence, parameters and languages."""

from typing import Any

import pytest

from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting.candidates import CANDIDATES


def replies(
    target: str,
    *asked: str | SeriesQuestion,
    name: str = "guided",
    language: str = "en",
    **more: Any,
) -> list[Row]:
    items = tuple(
        one if isinstance(one, SeriesQuestion) else SeriesQuestion(id=f"q{at}", text=one)
        for at, one in enumerate(asked, 1)
    )
    record = Series(id="s", target=target, questions=items, **more)
    _, built = CANDIDATES.build(name)
    built.prepare(kind_named("series"), language)
    return list(built.answer(Unit(one.id, "s", record, one) for one in items))


def test_a_row_has_the_rewrite_and_its_edits() -> None:
    first, second = replies("Marta Kolb", "Who was her father?", "Where did he die?")
    assert first.answer == "Who was Marta Kolb's father?"
    assert second.answer == "Where did PREVIOUS_ANSWER die?"
    assert second.evidence == {
        "edits": [
            {
                "at": [10, 12],
                "was": "he",
                "now": "PREVIOUS_ANSWER",
                "why": "he: an earlier answer is a person who agrees",
                "guideline": "Previous Questions and Answers",
                "question": "q1",
            }
        ]
    }
    assert second.score is None


def test_a_question_that_stands_alone_is_kept_and_says_why() -> None:
    [row] = replies("Marta Kolb", "When was Marta Kolb born?")
    assert row.answer == "When was Marta Kolb born?"
    assert row.evidence == {"kept": "it says the target itself"}


def test_known_answers_are_used_where_asked_for() -> None:
    asked = SeriesQuestion(id="q2", text="Where did he die?", previous=("Otto Kolb",))
    rows = replies("Marta Kolb", "Who was her father?", asked, name="guided(previous=answer)")
    assert rows[1].answer == "Where did Otto Kolb die?"


def test_a_known_answer_to_another_question_is_not_used() -> None:
    born = SeriesQuestion(
        id="q2", text="In what town was he born?", previous=("Otto Kolb",), previous_of="q1"
    )
    died = SeriesQuestion(id="q3", text="Where did he die?", previous=("Ely",), previous_of="q2")
    name = "guided(previous=answer)"
    rows = replies("Marta Kolb", "Who was her father?", born, died, name=name)
    assert [row.answer for row in rows[1:]] == [
        "In what town was Otto Kolb born?",
        "Where did Otto Kolb die?",
    ]
    gone = SeriesQuestion(id="q2", text="Where did he die?", previous=("Ely",), previous_of="q9")
    rows = replies("Marta Kolb", "Who was her father?", gone, name=name)
    assert rows[1].answer == "Where did Marta Kolb's father die?"


def test_earlier_questions_are_worked_in_where_asked_for() -> None:
    name = "guided(previous=question)"
    rows = replies("Marta Kolb", "Who was her father?", "Where did he die?", name=name)
    assert rows[1].answer == "Where did Marta Kolb's father die?"


def test_the_record_s_type_is_heeded() -> None:
    [row] = replies("Zora", "Who paid for the ship?", target_type="thing")
    assert row.answer == "Who paid for the Zora?"


def test_an_other_question_is_not_rewritten() -> None:
    asked = SeriesQuestion(id="q1", text="Other", category="OTHER")
    [row] = replies("Marta Kolb", asked)
    assert row.answer == "Other"


def test_no_target_and_no_text_are_no_error() -> None:
    rows = replies("", "When was he born?", "")
    assert [row.error for row in rows] == [None, None]
    assert [row.answer for row in rows] == ["When was he born?", ""]


def test_chinese_is_rewritten_too() -> None:
    [row] = replies("林远舟", "他出生在哪里？", language="zh", target_type="person")
    assert row.answer == "林远舟出生在哪里？"


def test_another_language_is_refused() -> None:
    with pytest.raises(UsageError, match="English and Chinese"):
        replies("Marta Kolb", "Wann?", language="de")


def test_the_signature_says_which_words_chinese_is_read_by() -> None:
    _, built = CANDIDATES.build("guided")
    built.prepare(kind_named("series"), "zh")
    signature = built.signature()
    assert signature["rules"] == "guided-5"
    assert signature["segmenter"].startswith("rjieba-")
