"""Training the evidence reader: what is kept apart, refused, and written."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readmark.comprehension.evidence.ranker_files import load_ranker, shipped_ranker
from readmark.comprehension.span.model import shipped_model
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.text.training_record_files import recorded_in
from training.evidence.__main__ import main
from training.evidence.train import train_evidence, train_pooling

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
    record = recorded_in(out)
    assert record is not None
    assert record.sources_of(story(0).text) == ("farms",)
    assert record.sources_of(story(3).text) == ()


def test_the_command_trains_a_model_that_sits(
    test_file: Path, tmp_path: Path, readmark_cli: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.json"
    made = main([str(test_file), "-o", str(model), "--seeds", "1", "--epochs", "2"])
    assert made.tests[0].questions == 40
    assert "held-out" in capsys.readouterr().err
    reader = f"evidence(model={model},encoder=false)"
    sat = readmark_cli("sit", "farms.jsonl", "-r", reader, "-o", "sitting.jsonl", cwd=tmp_path)
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


def test_the_command_learns_how_to_pool_with_the_encoder(
    test_file: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    made = main(["--pool", str(test_file), "-o", str(tmp_path / "pooled.json")])
    [marks] = made.pooled
    assert (marks.language, marks.questions, marks.encoder) == ("en", 40, 100)
    pooled, before = load_ranker(str(tmp_path / "pooled.json")), load_ranker()
    found = pooled.pooling["en"]
    assert {"features": found.features, "encoder": found.encoder} == marks.exponents
    assert found.note["tests"] == [{"file": "farms.jsonl", "weight": 1.0, "questions": 40}]
    # What the test is not about stays: the networks, and the other language.
    assert pooled.pooling["zh"] == before.pooling["zh"]
    assert {**pooled.note, "training_record": None} == {**before.note, "training_record": None}
    record = recorded_in(tmp_path / "pooled.json")
    assert record is not None
    assert [(source.name, source.use) for source in record.sources][-1] == ("farms", "pooling")
    assert record.sources[:-1] == recorded_in(shipped_ranker()).sources  # type: ignore[union-attr]
    reader = "evidence(model=pooled.json)"
    sat = readmark_cli("sit", "farms.jsonl", "-r", reader, "-o", "sitting.jsonl", cwd=tmp_path)
    assert sat.returncode == 0, sat.stderr


def test_what_cannot_be_pooled_is_refused(
    test_file: Path, tmp_path: Path, readmark_cli: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="reads 'zh', a test is in 'en'"):
        train_pooling([test_file], tmp_path / "m.json", span=shipped_model("zh"))
    with pytest.raises(DataError, match="no question"):
        train_pooling([test_file], tmp_path / "m.json", apart_from=[test_file])
    for options, message in (
        (("--span", "folder"), "need --pool"),
        (("--pool", "--seeds", "2"), "which --pool does not"),
    ):
        with pytest.raises(SystemExit):
            main([str(test_file), "-o", "m", *options])
        assert message in capsys.readouterr().err
    train_evidence([test_file], tmp_path / "features.json", seeds=1, epochs=1)
    reader = f"evidence(model={tmp_path / 'features.json'})"
    done = readmark_cli("sit", "farms.jsonl", "-r", reader, "-o", "s.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "was not pooled with an encoder in 'en': write evidence(model=" in done.stderr
    assert not (tmp_path / "m.json").exists()


def test_hidden_splits_are_not_learnt_from(tmp_path: Path) -> None:
    passages = [
        msgspec.structs.replace(story(at), split="test" if at < 3 else "train") for at in range(8)
    ]
    header = Header(name="farms", language="en", hidden=("test",))
    save_test(in_memory(header, passages), tmp_path / "farms.jsonl")
    few: Any = {"seeds": 1, "epochs": 1}
    done = train_evidence([tmp_path / "farms.jsonl"], tmp_path / "m.json", **few)
    assert done.tests[0].questions == 5
    assert done.hidden == (
        f"{tmp_path / 'farms.jsonl'}: hidden, so not used for training: split test",
    )
    done = train_evidence([tmp_path / "farms.jsonl"], tmp_path / "m.json", split="test", **few)
    assert (done.tests[0].questions, done.hidden) == (3, ())
