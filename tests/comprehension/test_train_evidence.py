"""Training by the workflow and the command: what is kept apart, refused, and written."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from readmark.comprehension.evidence.training import train_evidence
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


def story(at: int) -> Passage:
    text = f"Farm {at} keeps {at + 2} goats and a dog. Its barn is {at + 40} years old. It is far."
    start = text.index(f"{at + 40}")
    span = Answer(text=f"{at + 40} years", start=start)
    asked = Question(
        id=f"q{at}", text="How old is the barn of the farm?", key=QuestionKey(answers=(span,))
    )
    return Passage(id=f"p{at}", text=text, questions=(asked,))


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    test = in_memory(Header(name="farms", language="en"), [story(at) for at in range(40)])
    save_test(test, tmp_path / "farms.jsonl")
    return tmp_path / "farms.jsonl"


def test_passages_of_other_tests_are_kept_apart(test_file: Path, tmp_path: Path) -> None:
    held = in_memory(Header(name="held", language="en"), [story(3), story(4)])
    save_test(held, tmp_path / "held.jsonl")
    out = tmp_path / "model.json"
    done = train_evidence([test_file], out, apart_from=[tmp_path / "held.jsonl"], seeds=1, epochs=1)
    [taught] = done.tests
    assert (taught.dropped, taught.passages, taught.skipped) == (2, 38, 0)
    assert json.loads(out.read_text())["note"]["tests"][0]["questions"] == 38


def test_the_command_trains_a_model_that_sits(
    test_file: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    made = readmark_cli(
        *("train", "evidence", "farms.jsonl", "-o", "model.json", "--seeds", "1", "--json"),
        *("--epochs", "2"),
        cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["tests"][0]["questions"] == 40
    assert "held-out" in made.stderr
    sat = readmark_cli(
        *("sit", "farms.jsonl", "-r", "evidence(model=model.json)", "-o", "sitting.jsonl"),
        cwd=tmp_path,
    )
    assert sat.returncode == 0, sat.stderr


def test_what_cannot_be_learnt_from_is_refused(test_file: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="weight"):
        train_evidence([test_file], tmp_path / "m.json", also=[(-1.0, str(test_file))])
    with pytest.raises(UsageError, match="folder must be there"):
        train_evidence([test_file], tmp_path / "none" / "m.json")
    with pytest.raises(DataError, match="no question"):
        train_evidence([test_file], tmp_path / "m.json", apart_from=[test_file])
    assert not (tmp_path / "m.json").exists()


def test_a_model_is_never_written_over_a_test(test_file: Path, tmp_path: Path) -> None:
    before = test_file.read_bytes()
    with pytest.raises(UsageError, match="is what is being read"):
        train_evidence([test_file], test_file)
    assert test_file.read_bytes() == before
