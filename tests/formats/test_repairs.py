"""Repair: one possible place is taken, none or several are listed, nothing is guessed."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.spans import offset_fault
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.formats.repairs import Repairs, repair
from readmark.series.records import Series
from strategies import random_tests, spans

TEXT = "😀 tea at two, tea at four; 茶四点, cafe\u0301"


def made(*answers: Answer, **key: Any) -> Test:
    """A test of one question with those answers."""
    question = Question(id="q1", text="When?", key=QuestionKey(answers=answers, **key))
    other = Question(id="q0", text="Who?")
    return in_memory(Header(), [Passage(id="p1", text=TEXT, questions=(other, question))])


def answers_of(test: Test) -> tuple[Answer, ...]:
    (passage,) = test.records()
    return passage.questions[1].key.answers


@pytest.mark.parametrize(
    ("answer", "mended"),
    [
        (Answer(text="two", start=0), Answer(text="two", start=9)),
        (Answer(text="two"), Answer(text="two", start=9)),
        (Answer(text="two", start=-1), Answer(text="two", start=9)),
        (Answer(text="two", start=9, end=13), Answer(text="two", start=9, end=12)),
        (Answer(text="two", start=800, end=803), Answer(text="two", start=9, end=12)),
        # Offsets of UTF-16, as a browser counts them: the emoji makes every one too large by one.
        (Answer(text="茶四点", start=28), Answer(text="茶四点", start=27)),
        (
            Answer(text="e\u0301", annotator="A", sentence=(0, 4), score=0.5),
            Answer(text="e\u0301", start=35, annotator="A", sentence=(0, 4), score=0.5),
        ),
    ],
)
def test_one_possible_place_is_taken(answer: Answer, mended: Answer) -> None:
    test, repairs = repair(made(answer))
    assert answers_of(test) == (mended,)
    assert TEXT[mended.start :].startswith(mended.text)
    assert repairs == Repairs(fixed=("q1",))
    assert test.facts.faulty == ()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        # Nearest to exactly one of its places, and still a guess.
        (Answer(text="tea", start=3), "answer 'tea' occurs at 2 places: 2, 14"),
        (Answer(text="tea"), "answer 'tea' occurs at 2 places: 2, 14"),
        (Answer(text="t", start=1), "answer 't' occurs at 5 places: 2, 7, 9, 14, 19"),
        (Answer(text=" ", start=0), "answer ' ' occurs at 8 places: 1, 5, 8, 13, 17, …"),
        (Answer(text="coffee", start=2), "answer 'coffee' does not occur in the passage"),
        (Answer(text="Two", start=9), "answer 'Two' does not occur in the passage"),
        (Answer(text=""), "the answer is empty"),
    ],
)
def test_none_or_several_are_listed(answer: Answer, reason: str) -> None:
    test, repairs = repair(made(answer))
    assert answers_of(test) == (answer,)
    assert repairs == Repairs(left=(("q1", reason),))


def test_a_true_place_is_kept_however_many_there_are() -> None:
    true = (Answer(text="tea", start=14), Answer(text="tea", start=2, end=5))
    test, repairs = repair(made(*true))
    assert answers_of(test) == true
    assert repairs == Repairs()


def test_plausible_answers_are_repaired_too() -> None:
    wrong = Answer(text="four", start=1)
    test, repairs = repair(made(unanswerable=True, plausible=(wrong, Answer(text="six"))))
    (passage,) = test.records()
    assert passage.questions[1].key.plausible == (Answer(text="four", start=21), Answer(text="six"))
    assert repairs == Repairs(
        fixed=("q1",), left=(("q1", "answer 'six' does not occur in the passage"),)
    )


def test_a_question_is_listed_once_as_fixed() -> None:
    _, repairs = repair(made(Answer(text="two"), Answer(text="four")))
    assert repairs.fixed == ("q1",)


def test_other_kinds_have_nothing_to_repair() -> None:
    series = in_memory(Header(kind="series"), [Series(id="s", target="Kiel")])
    assert repair(series) == (series, Repairs())


def test_a_repaired_file_is_written_with_its_offsets(tmp_path: Path) -> None:
    save_test(made(Answer(text="two", start=1)), tmp_path / "a.jsonl")
    test, _ = repair(open_test(tmp_path / "a.jsonl"))
    save_test(test, tmp_path / "b.jsonl")
    assert answers_of(open_test(tmp_path / "b.jsonl")) == (Answer(text="two", start=9),)
    assert [place for place, _ in test.placed()] == [2]


def test_an_answer_that_had_no_offsets_is_written_with_them(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"data": [{"paragraphs": [{"context": "one two", "qas": [{"id": "q", "question": "?", '
        '"answers": [{"text": "two"}, {"text": "one", "answer_start": null}]}]}]}]}',
        encoding="utf-8",
    )
    test, _ = repair(open_test(path))
    save_test(test, tmp_path / "b.json", format="squad")
    again = open_test(tmp_path / "b.json")
    (question,) = next(again.records()).questions
    assert [answer.start for answer in question.key.answers] == [4, 0]


@given(random_tests("native"), st.data())
def test_repair_never_harms(test: Test, data: st.DataObject) -> None:
    """Whatever is wrong before: true places stay, nothing but places changes, twice is once."""
    before = list(test.records())
    spoilt = [_spoilt(passage, data) for passage in before]
    mended, repairs = repair(in_memory(Header(), spoilt))
    for old, new in zip(spoilt, mended.records(), strict=True):
        assert _without_places(old) == _without_places(new)
        for one, other in zip(_answers(old), _answers(new), strict=True):
            if one.offsets is not None and offset_fault(old.text, one) is None:
                assert other == one
            elif other != one:
                assert offset_fault(old.text, other) is None
                assert old.text.count(other.text) == 1
    again, second = repair(mended)
    assert list(again.records()) == list(mended.records())
    assert second == Repairs(left=repairs.left)


def _spoilt(passage: Passage, data: st.DataObject) -> Passage:
    """The passage with a question more, whose answer is a true text at any place."""
    start, end = data.draw(spans(passage.text))
    wrong = Answer(text=passage.text[start:end], start=data.draw(st.integers(-3, 50)))
    extra = Question(
        id=f"{passage.id}+{data.draw(st.uuids())}", text="?", key=QuestionKey(answers=(wrong,))
    )
    kept = {name: getattr(passage, name) for name in ("id", "text", "title", "article", "key")}
    return Passage(questions=(*passage.questions, extra), **kept)


def _answers(passage: Passage) -> list[Answer]:
    keys = [question.key for question in passage.questions if question.key is not None]
    return [answer for key in keys for answer in (*key.answers, *key.plausible)]


def _without_places(passage: Passage) -> list[Any]:
    return [
        passage.id,
        passage.text,
        passage.title,
        passage.key,
        [(one.id, one.text, one.layers, one.options) for one in passage.questions],
        [(one.text, one.annotator, one.sentence, one.score) for one in _answers(passage)],
    ]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "faulty", "fixed", "left"),
    [
        ("cmrc2018/trial.json", 5, 5, []),
        ("cmrc2018/train.json.gz", 21, 20, ["TRAIN_2283_QUERY_1"]),
        ("drcd/dev.json.gz", 0, 0, []),
        ("xquad/zh.json", 0, 0, []),
    ],
)
def test_real_offsets_are_repaired(
    shared: Path, name: str, faulty: int, fixed: int, left: list[str]
) -> None:
    test = open_test(shared / "data" / name)
    assert len(test.facts.faulty) == faulty
    mended, repairs = repair(test)
    assert len(repairs.fixed) == fixed
    assert [id for id, _ in repairs.left] == left
    assert list(mended.facts.faulty) == left
    assert mended.facts.paper == test.facts.paper
