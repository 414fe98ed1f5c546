"""Accuracy: chosen options against keyed ones, chance, and what is no option."""

from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.formats.checks import check
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=20, trials=20)
FOUR = ("a kettle", "a coat", "some boats", "a lamp")
TWO = ("right", "wrong")


def choice(id: str, key: str, options: tuple[str, ...] = FOUR, **more: Any) -> Any:
    """A question with options."""
    return asked(id, key, options=options, **more)


@pytest.fixture
def test() -> Test:
    """Three questions of four options and one of two."""
    return comprehension(
        passage("p1", choice("q1", "a kettle"), choice("q2", "some boats")),
        passage("p2", choice("q3", "a lamp"), choice("q4", "wrong", TWO)),
    )


def test_the_share_of_keyed_options_and_what_guessing_gives(test: Test) -> None:
    answers = {"q1": "A kettle.", "q2": "C", "q3": "a coat", "q4": "neither"}
    marks = readmark.mark(test, sat(answers), settings=FEW)
    assert list(marks.marks) == ["accuracy"]
    assert marks["accuracy"].score == 50.0
    assert {id: values["accuracy"] for id, values in marks.per_unit().items()} == {
        "q1": 1.0,
        "q2": 1.0,
        "q3": 0.0,
        "q4": 0.0,
    }
    # (1/4 + 1/4 + 1/4 + 1/2) / 4
    assert [note.partition("accuracy: ")[2] for note in marks.notes] == [
        "guessing would give 31.25",
        "1 question has an answer that is none of the options, and wrong",
    ]
    assert marks.classes is None
    assert not marks.tables


def test_unanswered_and_errors_are_wrong(test: Test) -> None:
    marks = readmark.mark(test, sat({"q1": "a kettle", "q2": None}), settings=FEW)
    assert marks["accuracy"].score == 25.0
    assert (marks.coverage.unanswered, marks.coverage.errors) == (["q3", "q4"], ["q2"])


def test_repeats_are_averaged(test: Test) -> None:
    answers = {
        "q1": ("a kettle", "a coat"),
        "q2": ("C", "C"),
        "q3": ("x", "a lamp"),
        "q4": ("B", "B"),
    }
    marks = readmark.mark(test, sat(answers, repeats=2), settings=FEW)
    assert marks["accuracy"].score == 75.0
    assert marks.scores.repeats["accuracy"].scores == [75.0, 75.0]


def test_equal_options_are_one_choice() -> None:
    test = comprehension(passage("p", choice("q", "yes", ("yes", "no", "yes", "maybe"))))
    marks = readmark.mark(test, sat({"q": "yes"}), settings=FEW)
    assert marks["accuracy"].score == 100.0
    assert marks.notes[-1].endswith("guessing would give 50.00")


def test_a_key_that_is_no_option_does_not_count() -> None:
    test = comprehension(passage("p", choice("q1", "a kettle"), choice("q2", "a spoon")))
    marks = readmark.mark(test, sat({"q1": "a kettle", "q2": "a spoon"}), settings=FEW)
    assert marks["accuracy"].score == 100.0
    assert any("does not count 1 (q2)" in note for note in marks.notes)


def test_a_letter_is_no_key_to_marks_or_to_checks(tmp_path: Path) -> None:
    test = comprehension(passage("p", choice("q1", "a kettle"), choice("q2", "B")))
    readmark.save(test, tmp_path / "t.jsonl")
    marks = readmark.mark(test, sat({"q1": "a kettle", "q2": "B"}), settings=FEW)
    assert any("does not count 1 (q2)" in note for note in marks.notes)
    assert [problem.code for problem in check(str(tmp_path / "t.jsonl"))] == ["key_option"]


def test_hedges_are_no_option_and_letters_in_words_are(test: Test) -> None:
    answers = {"q1": "A、B、C、D", "q2": "Answer: C", "q3": "我选D", "q4": "The answer is B."}
    marks = readmark.mark(test, sat(answers), settings=FEW)
    assert {id: item["accuracy"] for id, item in marks.per_unit().items()} == {
        "q1": 0.0,
        "q2": 1.0,
        "q3": 1.0,
        "q4": 1.0,
    }
    assert any(
        "1 question has an answer that is none of the options" in item for item in marks.notes
    )


def test_the_option_is_taken_out_of_a_wordy_answer_where_asked(test: Test) -> None:
    answers = {
        "q1": "I read it twice. The answer is a kettle.",
        "q2": "<think>A is right?</think>C",
        "q3": "D",
        "q4": "A or B",
    }
    plain = readmark.mark(test, sat(answers), settings=FEW)
    assert plain["accuracy"].score == 25.0
    marks = readmark.mark(test, sat(answers), metrics="accuracy(extract=true)", settings=FEW)
    [mark] = marks.marks.values()
    assert mark.score == 75.0
    assert "extract:" in mark.signature


def test_several_people_each_have_their_key() -> None:
    test = comprehension(
        passage("p", asked("q", ("ann", "a coat"), ("bo", "a lamp"), options=FOUR))
    )
    for answer, score in (("a coat", 100.0), ("a lamp", 100.0), ("a kettle", 0.0)):
        marks = readmark.mark(test, sat({"q": answer}), settings=FEW)
        assert marks["accuracy"].score == score
        assert marks.people is not None


def test_defaults_where_only_some_questions_have_options() -> None:
    test = comprehension(passage("p", choice("q1", "a kettle"), asked("q2", "boats")))
    sitting = sat({"q1": "A", "q2": "boats"})
    assert list(readmark.mark(test, sitting, settings=FEW).marks) == ["em", "f1"]
    marks = readmark.mark(test, sitting, metrics="accuracy", settings=FEW)
    assert marks["accuracy"].score == 100.0
    assert any("does not count 1 (q2)" in note for note in marks.notes)


def test_comparisons_are_by_accuracy(test: Test) -> None:
    [comparison] = readmark.compare(
        test, sat({"q1": "a coat"}), sat({"q1": "a kettle", "q2": "C"}), settings=FEW
    )
    assert (comparison.metric, comparison.difference) == ("accuracy", 50.0)


def test_checks_of_options(tmp_path: Path) -> None:
    test = comprehension(
        passage(
            "p",
            choice("twice", "yes", ("yes", "no", "no")),
            choice("none", "perhaps", ("yes", "no")),
            choice("one", "yes", ("yes",)),
            choice("blank", "yes", ("yes", " ")),
            choice("good", "yes", ("yes", "no")),
        )
    )
    readmark.save(test, tmp_path / "t.jsonl")
    problems = [(problem.code, problem.message) for problem in check(str(tmp_path / "t.jsonl"))]
    assert problems == [
        ("duplicate_option", "twice: has the option 'no' twice"),
        ("key_option", "none: the key 'perhaps' is none of the options"),
        ("options", "one: has one option, which is no choice"),
        ("options", "blank: has an option without text"),
    ]


def shown(order: tuple[int, ...], text: str, repeat: int = 0, id: str = "q1") -> Row:
    """An answer to options in an order."""
    return Row(id=id, answer=text, order=order, repeat=repeat)


def test_places_of_what_was_chosen() -> None:
    questions = [choice(f"q{at}", "a kettle") for at in range(8)]
    test = comprehension(passage("p", *questions))
    # The first place is always chosen: twice the kettle stands there.
    orders = [(0, 1, 2, 3), (0, 3, 2, 1), (1, 0, 2, 3), (1, 2, 0, 3)]
    orders += [(2, 1, 0, 3), (2, 1, 3, 0), (3, 1, 2, 0), (3, 0, 2, 1)]
    rows = {f"q{at}": shown(order, FOUR[order[0]], id=f"q{at}") for at, order in enumerate(orders)}
    marks = readmark.mark(test, Sitting(SittingHeader(shuffle_options=1), rows), settings=FEW)
    assert marks["accuracy"].score == 25.0
    places = marks.tables["positions"]
    assert places is not None
    assert [
        (place.place, place.shown, place.chosen, place.keyed, place.right)
        for place in places.places
    ] == [
        ("A", 8, 8, 2, 2),
        ("B", 8, 0, 2, 0),
        ("C", 8, 0, 2, 0),
        ("D", 8, 0, 2, 0),
    ]
    # (8-2)²/2 + 3 · (0-2)²/2 = 24
    assert (places.answers, places.chi_square, places.freedom) == (8, 24.0, 3)
    assert places.p == pytest.approx(2.5e-5, rel=0.02)
    assert marks.as_json()["positions"]["places"][0]["chosen"] == 8


def test_letters_are_read_in_the_order_shown() -> None:
    test = comprehension(passage("p", choice("q1", "a coat"), choice("q2", "a coat")))
    rows = {
        # The coat stood first: letter and words contradict each other, though not in the test.
        "q1": shown((1, 3, 2, 0), "B. a coat"),
        "q2": shown((1, 3, 2, 0), "A", id="q2"),
    }
    marks = readmark.mark(test, Sitting(SittingHeader(shuffle_options=1), rows), settings=FEW)
    assert {id: item["accuracy"] for id, item in marks.per_unit().items()} == {"q1": 0.0, "q2": 1.0}
    assert [item.chosen for item in marks.tables["positions"].places] == [1, 0, 0, 0]


def test_places_are_not_told_of_what_has_none(test: Test) -> None:
    rows = {
        "q1": shown((0, 1), "a kettle"),  # no order of four options
        "q2": shown((3, 2, 1, 0), "none of these", id="q2"),
        "q3": Row(id="q3", error="timed out", order=(0, 1, 2, 3)),
    }
    marks = readmark.mark(test, Sitting(SittingHeader(), rows), settings=FEW)
    assert not marks.tables


def test_a_test_without_options_has_no_accuracy() -> None:
    test = comprehension(passage("p", asked("q", "kettle")))
    marks = readmark.mark(test, sat({"q": "kettle"}), metrics="accuracy", settings=FEW)
    assert marks["accuracy"].score is None
