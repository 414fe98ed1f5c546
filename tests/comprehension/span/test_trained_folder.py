"""The folder that a training leaves: weights, curves, exports and scores."""

from pathlib import Path
from typing import Any

import pytest

from readmark.comprehension.span import training
from readmark.comprehension.span.settings import SpanSettings
from readmark.core.errors import DataError
from span_training import save_question, train_briefly


def test_scores_that_nobody_asked_for_do_not_fail_a_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path, tests: Any, **_: Any) -> Any:
        raise DataError("has fewer than 20 questions", file=str(tests[0]))

    monkeypatch.setattr(training, "train_confidence", refuse)
    messages: list[str] = []
    assert training.fit_scores(tmp_path, SpanSettings(check=["a"]), messages.append) is None
    assert messages == ["scores are not fitted: a: has fewer than 20 questions"]
    with pytest.raises(DataError, match="fewer than 20"):
        training.fit_scores(tmp_path, SpanSettings(scores=["a"]), messages.append)
    assert training.fit_scores(tmp_path, SpanSettings(check=["a"], export=False), print) is None
    assert training.fit_scores(tmp_path, SpanSettings(), print) is None


@pytest.mark.torch
def test_equal_seeds_give_equal_weights(tmp_path: Path, encoder: Path) -> None:
    test = save_question(tmp_path / "t.jsonl", "anna")
    first, second = tmp_path / "first", tmp_path / "second"
    train_briefly(test, first, encoder)
    train_briefly(test, second, encoder)
    for file in ("model.safetensors", "heads.safetensors"):
        assert (first / file).read_bytes() == (second / file).read_bytes()


@pytest.mark.torch
def test_curves_are_drawn(tmp_path: Path, encoder: Path) -> None:
    test = save_question(tmp_path / "t.jsonl", "anna")
    train_briefly(test, tmp_path / "out", encoder, check=[test])
    picture = (tmp_path / "out" / "training.svg").read_text("utf-8")
    assert ">t f1<" in picture
    assert ">t em<" in picture


@pytest.mark.torch
def test_exports_of_an_earlier_training_do_not_stay(tmp_path: Path, encoder: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for name in ("model.onnx", "model.int8.onnx"):
        (out / name).write_bytes(b"earlier")
    train_briefly(save_question(tmp_path / "t.jsonl", "anna"), out, encoder)
    assert not list(out.glob("*.onnx"))


@pytest.mark.torch
def test_libraries_print_nothing(
    tmp_path: Path, encoder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed")
    from readmark.comprehension.span.onnx.export import export

    test = save_question(tmp_path / "t.jsonl", "anna")
    train_briefly(test, tmp_path / "out", encoder)
    export(tmp_path / "out", tmp_path / "out")
    assert capfd.readouterr() == ("", "")
