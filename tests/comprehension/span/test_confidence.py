"""Fitting a span reader's scores and threshold, and reading with them."""

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

import readmark
from made import asked, comprehension, passage
from readmark.cli.main import cli
from readmark.comprehension.span.confidence import SpanConfidence
from readmark.comprehension.span.confidence_fitting import fit_confidence
from readmark.comprehension.span.model import shipped_model
from readmark.comprehension.span.moved_questions import moved_questions
from readmark.comprehension.span.onnx import scoring as onnx_scoring
from readmark.comprehension.span.read_cases import ReadCase
from readmark.comprehension.span.shape import SpanShape, read_shape, write_shape
from readmark.comprehension.span.tokens import load_tokenizer
from readmark.core.errors import UsageError
from readmark.core.records import Passage, Question
from readmark.core.sitting import Row
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.sitting.candidates import build_candidate, make_ready
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."
FITTED = SpanConfidence(
    answer=(0.5, -0.1, 0.2), mixed=(0.5, -0.1, -0.4), none=(-0.5, 0.1, 0.4), no_answer=-30.0
)


def planted(count: int) -> list[ReadCase]:
    """Cases of a known curve; those without an answer have a higher no-answer score."""
    random = np.random.default_rng(3)
    cases = []
    for number in range(count):
        answerable = number % 2 == 0
        none = random.normal(-5 if answerable else 5, 1)
        logit = random.normal(0, 2)
        chance = 1 / (1 + math.exp(-(0.7 * logit - 0.2 * (none + 5) + 0.3)))
        f1 = chance if answerable else 0.0
        probability = 1 / (1 + math.exp(-logit))
        half = number % 4 < 2
        cases.append(ReadCase(probability, none, f1, answerable, 1 / count, half))
    return cases


def test_a_planted_curve_and_threshold_are_found() -> None:
    fitted = fit_confidence(planted(2000))
    assert fitted.answer == pytest.approx((0.7, -0.2, -0.7), abs=0.06)
    assert -4 < fitted.no_answer < 4
    assert fitted.none_score(0.5, 6.0) > 0.9 > 0.1 > fitted.none_score(0.5, -6.0)
    assert fitted.score(0.9, 5.0, mixed=True) < 0.1


def seeks(folder: Path, word: str) -> Any:
    token = int(load_tokenizer(folder, simplify=False).cut([word])[0].ids[0])

    def score(ids: Any, types: Any, mask: Any) -> Any:
        scores = (ids == token).astype(np.float32) * 9
        return np.stack([scores, scores], -1)

    return score


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_tokenizer(tmp_path / "model")
    write_shape(SpanShape(length=32, stride=4, confidence=FITTED), folder)
    (folder / "model.onnx").write_bytes(b"")
    return folder


def sit(folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "") -> tuple[Row, Any]:
    monkeypatch.setattr(onnx_scoring, "load_scorer", lambda *_, **__: seeks(folder, "anna"))
    record = Passage(id="p", text=TEXT, questions=(Question(id="q", text="Who?"),))
    test = in_memory(Header(name="t", language="en"), [record])
    name, candidate = build_candidate(f"span(model={folder}{more})", test)
    make_ready(name, candidate, test.kind, "en")
    (row,) = candidate.answer(list(test.units()))
    return row, candidate


def test_the_score_is_the_fitted_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row, candidate = sit(folder, monkeypatch)
    probability, none = row.evidence["likely"][0]["probability"], row.evidence["none"]
    total = 0.5 * math.log(probability / (1 - probability)) - 0.1 * none + 0.2
    assert row.score == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-4)
    assert len(candidate.signature()["confidence"]) == 12
    write_shape(SpanShape(length=32, stride=4), folder)
    plain, candidate = sit(folder, monkeypatch)
    assert plain.score == probability
    assert (plain.text, plain.start, plain.evidence) == (row.text, row.start, row.evidence)
    assert "confidence" not in candidate.signature()


def test_auto_is_the_threshold_of_the_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row, _ = sit(folder, monkeypatch, ", no_answer=auto")
    assert row.text == ""
    assert row.score is not None
    assert 0 < row.score < 1
    by_number, _ = sit(folder, monkeypatch, ", no_answer=-30")
    assert by_number == row
    answered, _ = sit(folder, monkeypatch, ", no_answer=0")
    default, _ = sit(folder, monkeypatch)
    assert answered.text == default.text == "Anna"
    assert answered.score < default.score


def test_a_threshold_is_a_number_or_auto(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = in_memory(Header(name="t", language="en"), [Passage(id="p", text=TEXT)])
    for written, canonical in (("0.50", "0.5"), ("-3", "-3"), ("auto", "auto")):
        name, _ = build_candidate(f"span(no_answer={written})", test)
        assert name == f"span(no_answer={canonical})"
    for written in ("maybe", "nan", "inf"):
        with pytest.raises(UsageError, match="neither a number nor auto"):
            build_candidate(f"span(no_answer={written})", test)
    write_shape(SpanShape(length=32, stride=4), folder)
    with pytest.raises(UsageError, match="no threshold of its own"):
        sit(folder, monkeypatch, ", no_answer=auto")


def test_the_command_fits_and_writes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_shape(SpanShape(length=32, stride=4, note={"kept": True}), folder)
    monkeypatch.setattr(onnx_scoring, "load_scorer", lambda *_, **__: seeks(folder, "anna"))
    records = [
        passage(
            f"p{number}",
            asked(f"q{number}", "Anna"),
            text=f"The mill stands in the north. Anna keeps {number} goats.",
        )
        for number in range(30)
    ]
    records += [
        passage(f"p{number}", text=f"The dog {number} stands in the north.")
        for number in range(30, 60)
    ]
    path = tmp_path / "fit.jsonl"
    save_test(comprehension(*records, language="en"), path)
    done = CliRunner().invoke(
        cli, ["train", "span", "--scores", str(path), "-o", str(folder), "--json"]
    )
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    shape = read_shape(folder)
    assert shape.note == {"kept": True}
    assert shape.confidence is not None
    assert shape.confidence.no_answer == document["no_answer"]
    assert shape.confidence.note["tests"][0]["questions"] == 30
    # Anna is found where she is, and withheld where she is not.
    (measured,) = document["tests"]
    assert measured["always"] == pytest.approx(50)
    assert measured["withheld"] == pytest.approx(100)
    assert shape.confidence.no_answer == pytest.approx(-18, abs=0.01)


def test_too_few_questions_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    save_test(comprehension(passage("p", asked("q", "Anna"), text=TEXT), language="en"), path)
    before = (folder / "span.json").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx_scoring, "load_scorer", lambda *_, **__: seeks(folder, "anna"))
        done = CliRunner().invoke(cli, ["train", "span", "--scores", str(path), "-o", str(folder)])
    assert done.exit_code == 1
    assert "fewer than 20 questions" in str(done.exception)
    assert (folder / "span.json").read_bytes() == before


@pytest.mark.parametrize("language", ["en", "zh"])
def test_shipped_readers_withhold_what_a_passage_does_not_say(language: str) -> None:
    shape = read_shape(shipped_model(language))
    assert shape.confidence is not None
    assert shape.confidence.note["date"]
    assert shape.confidence.score(0.9, -20) > shape.confidence.score(0.3, -20)
    assert shape.confidence.none_score(0.5, 0) > shape.confidence.none_score(0.5, -30)
    bundled = open_test(files("readmark.bundle").joinpath(f"reading.{language}.jsonl"))
    test = in_memory(bundled.header, list(bundled.records())[:5])
    withheld = {}
    for share in (0.0, 1.0):
        paper = moved_questions(test, share=share)
        rows = readmark.sit(paper, "span(no_answer=auto)", limit=12).rows
        assert len(rows) == 12
        assert all(isinstance(row, Row) and row.score is not None for row in rows.values())
        withheld[share] = sum(not row.text for row in rows.values() if isinstance(row, Row))
    assert withheld[0.0] <= 4
    assert withheld[1.0] >= 8
