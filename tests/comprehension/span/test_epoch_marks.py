"""Tests that choose the best epoch: which are refused, what their marks are called and count."""

from pathlib import Path

import pytest

import readmark.bundle
from readmark.comprehension.span import epoch_marks
from readmark.comprehension.span.epoch_marks import checks_of
from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_test
from readmark.formats.training_tests import TrainingTests
from span_training import save_question

BUNDLE = Path(readmark.bundle.__file__).parent


def test_checks_of_one_name_are_told_apart(tmp_path: Path) -> None:
    dev = save_question(tmp_path / "a" / "dev.jsonl", "anna")
    other_dev = save_question(tmp_path / "b" / "dev.jsonl", unanswerable=True)
    trial = save_question(tmp_path / "trial.jsonl", "red")
    checks = checks_of([dev, other_dev, trial], TrainingTests(print))
    assert list(checks) == [str(dev), str(other_dev), "trial"]
    assert [test.file for test in checks.values()] == [str(dev), str(other_dev), str(trial)]


def test_a_check_needs_known_answers(tmp_path: Path) -> None:
    blind = save_question(tmp_path / "blind.jsonl")
    with pytest.raises(DataError, match=r"blind.jsonl: no question has a known answer"):
        checks_of([blind], TrainingTests(print))


def test_a_check_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="is a series test, expected comprehension"):
        checks_of([BUNDLE / "series.en.jsonl"], TrainingTests(print))


def test_a_large_test_counts_no_more_than_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    large, small = open_test(BUNDLE / "reading.en.jsonl"), open_test(BUNDLE / "reading.en.jsonl")
    marks = {id(large): {"f1": 40.0, "em": 10.0}, id(small): {"f1": 80.0, "em": 30.0}}
    monkeypatch.setattr(epoch_marks, "marked", lambda test, *_: marks[id(test)])
    monkeypatch.setattr(epoch_marks, "torch_scorer", lambda network: network)
    many, few = list(large.units()), list(small.units())[:1]
    marker = epoch_marks.epoch_marker({}, [(large, many), (small, few), (large, [])], None, None)
    assert marker is not None
    assert marker(None) == {"held f1": 60.0, "held em": 20.0}
    assert epoch_marks.epoch_marker({}, [(large, [])], None, None) is None
