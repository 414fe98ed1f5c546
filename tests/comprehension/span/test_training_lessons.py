"""What tests give to a training: their lessons, their weights, and the share that is held out."""

from pathlib import Path

import pytest

from readmark.comprehension.span.training_lessons import SpanTrainingTest, training_lessons
from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_test
from span_training import save_question, train_briefly


def test_questions_without_an_answer_in_the_passage_are_skipped(tmp_path: Path) -> None:
    red = save_question(tmp_path / "red.jsonl", "red")
    zebra = save_question(tmp_path / "zebra.jsonl", "zebra")
    messages: list[str] = []
    tests = [(1.0, open_test(red)), (0.5, open_test(zebra))]
    gathered = training_lessons(tests, 0.0, messages.append)
    assert [lesson.spans for lesson in gathered.lessons] == [((31, 34),)]
    assert gathered.tests == [
        SpanTrainingTest(str(red), 1.0, questions=1, skipped=0),
        SpanTrainingTest(str(zebra), 0.5, questions=0, skipped=1),
    ]
    assert messages == [
        f"{red}: 1 question, weight 1, 0 skipped",
        f"{zebra}: 0 questions, weight 0.5, 1 skipped",
    ]


def test_a_passage_is_held_out_of_every_test_that_has_it(tmp_path: Path) -> None:
    tests = [
        (1.0, open_test(save_question(tmp_path / f"{name}.jsonl", "red"))) for name in ("a", "b")
    ]
    gathered = training_lessons(tests, 0.999, print)
    assert gathered.lessons == []
    assert [len(units) for _, units in gathered.held_out] == [1, 1]


def test_a_share_that_holds_nothing_out_is_refused(tmp_path: Path) -> None:
    test = open_test(save_question(tmp_path / "t.jsonl", "anna"))
    with pytest.raises(UsageError, match=r"a share of 0.001 holds none of the passages out"):
        training_lessons([(1.0, test)], 0.001, print)


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_a_weight_is_a_number_above_0(tmp_path: Path, weight: float) -> None:
    test = open_test(save_question(tmp_path / "t.jsonl", "anna"))
    with pytest.raises(UsageError, match=r"the weight of .*t.jsonl is"):
        training_lessons([(weight, test)], 0.0, print)


@pytest.mark.torch
@pytest.mark.parametrize("answers", [(), ("zebra",)])
def test_a_test_without_answers_teaches_nothing(
    tmp_path: Path, encoder: Path, answers: tuple[str, ...]
) -> None:
    test = save_question(tmp_path / "t.jsonl", *answers)
    with pytest.raises(DataError, match="no question with a known answer to learn from"):
        train_briefly(test, tmp_path / "out", encoder)
