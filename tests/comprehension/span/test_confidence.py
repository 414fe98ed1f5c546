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
from readmark.comprehension.span import onnx as onnx_scoring
from readmark.comprehension.span.confidence import ReadCase, fit_confidence, moved_questions
from readmark.comprehension.span.reader import shipped
from readmark.comprehension.span.tokens import (
    SpanConfidence,
    SpanShape,
    load_tokenizer,
    read_shape,
    write_shape,
)
from readmark.core.errors import UsageError
from readmark.core.records import Passage, Question
from readmark.core.sitting import Row
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.sitting.candidates import build_candidate, make_ready
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."
FITTED = SpanConfidence(
    answer=(0.5, -0.1, 0.2), mixed=(0.5, -0.1, -0.4), none=(-0.5, 0.1, 0.4), no_answer=-30.0
)


def towns() -> Test:
    names = ("Anna", "Bo", "Cleo", "Dan")
    return comprehension(
        *(
            passage(f"p{at}", asked(f"q{at}", name), text=f"{name} keeps goats. Near: {other}.")
            for at, (name, other) in enumerate(zip(names, (*names[1:], "Eve"), strict=True))
        ),
        language="en",
    )


def test_moved_questions_lose_their_answers() -> None:
    moved = moved_questions(towns(), share=1.0)
    by_id = {question.id: (p, question) for p in moved.records() for question in p.questions}
    assert sorted(by_id) == ["q0", "q1", "q2", "q3"]
    for at, name in enumerate(("Anna", "Bo", "Cleo", "Dan")):
        record, question = by_id[f"q{at}"]
        assert name not in record.text
        assert question.key is not None
        assert question.key.unanswerable
        assert not question.key.answers
    assert moved.facts.count("unanswerable") == 4
    again = moved_questions(towns(), share=1.0)
    assert list(again.records()) == list(moved.records())


def test_questions_stay_where_no_other_passage_will_do() -> None:
    test = comprehension(
        passage("a", asked("q", "goats"), text="Goats."),
        passage("b", text="GOATS！"),
        passage("c", text="ｇｏａｔｓ"),
    )
    moved = moved_questions(test, share=1.0)
    assert [[q.id for q in record.questions] for record in moved.records()] == [["q"], [], []]
    assert not moved.facts.count("unanswerable")
    assert moved_questions(towns(), share=0.0).facts.count("unanswerable") == 0


def planted(count: int) -> list[ReadCase]:
    """Cases of a known curve; those without an answer have a higher no-answer score."""
    random = np.random.default_rng(3)
    cases = []
    for at in range(count):
        answerable = at % 2 == 0
        none = random.normal(-5 if answerable else 5, 1)
        logit = random.normal(0, 2)
        chance = 1 / (1 + math.exp(-(0.7 * logit - 0.2 * (none + 5) + 0.3)))
        f1 = chance if answerable else 0.0
        probability = 1 / (1 + math.exp(-logit))
        cases.append(ReadCase(probability, none, f1, answerable, 1 / count, bool(at % 4 < 2)))
    return cases


def test_a_planted_curve_and_threshold_are_found() -> None:
    found = fit_confidence(planted(2000))
    assert found.answer == pytest.approx((0.7, -0.2, -0.7), abs=0.06)
    assert -4 < found.no_answer < 4
    assert found.none_score(0.5, 6.0) > 0.9 > 0.1 > found.none_score(0.5, -6.0)
    assert found.score(0.9, 5.0, mixed=True) < 0.1


def seeks(folder: Path, word: str) -> Any:
    wanted = int(load_tokenizer(folder, simplify=False).cut([word])[0].ids[0])

    def score(ids: Any, types: Any, mask: Any) -> Any:
        hit = (ids == wanted).astype(np.float32) * 9
        return np.stack([hit, hit], -1)

    return score


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = write_tokenizer(tmp_path / "model")
    write_shape(SpanShape(length=32, stride=4, confidence=FITTED), made)
    (made / "model.onnx").write_bytes(b"")
    return made


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


def test_the_models_own_threshold(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row, _ = sit(folder, monkeypatch, ", no_answer=auto")
    assert row.text == ""
    assert row.score is not None
    assert 0 < row.score < 1
    given, _ = sit(folder, monkeypatch, ", no_answer=-30")
    assert given == row
    answered, _ = sit(folder, monkeypatch, ", no_answer=0")
    default, _ = sit(folder, monkeypatch)
    assert answered.text == default.text == "Anna"
    assert answered.score < default.score


def test_names_of_thresholds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    texts = [f"The mill stands in the north. Anna keeps {at} goats." for at in range(30)]
    texts += [f"The dog {at} stands in the north." for at in range(30)]
    records = [
        passage(f"p{at}", *([asked(f"q{at}", "Anna")] if "Anna" in text else []), text=text)
        for at, text in enumerate(texts)
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
    save_test(towns(), path)
    before = (folder / "span.json").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx_scoring, "load_scorer", lambda *_, **__: seeks(folder, "anna"))
        done = CliRunner().invoke(cli, ["train", "span", "--scores", str(path), "-o", str(folder)])
    assert done.exit_code == 1
    assert "fewer than 20 questions" in str(done.exception)
    assert (folder / "span.json").read_bytes() == before


@pytest.mark.parametrize("language", ["en", "zh"])
def test_shipped_readers_withhold_what_a_passage_does_not_say(language: str) -> None:
    shape = read_shape(shipped(language))
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
