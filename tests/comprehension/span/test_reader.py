"""The span reader as a candidate, its network played by a function."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.onnx import scoring as onnx_scoring
from readmark.comprehension.span.rows import end_with_marks
from readmark.comprehension.span.shape import SpanShape, write_shape
from readmark.comprehension.span.tokens import load_tokenizer
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.records import Passage, Question
from readmark.core.sitting import Row
from readmark.core.test import Header, in_memory
from readmark.sitting.candidates import build_candidate, make_ready
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."


def seeks(folder: Path, word: str) -> Callable[..., Any]:
    """A scorer that is sure of one word, wherever it stands."""
    token = int(load_tokenizer(folder, simplify=False).cut([word])[0].ids[0])

    def score(ids: Any, types: Any, mask: Any) -> Any:
        scores = (ids == token).astype(np.float32) * 9
        return np.stack([scores, scores], -1)

    return score


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_tokenizer(tmp_path / "model")
    write_shape(SpanShape(length=32, stride=4), folder)
    (folder / "model.onnx").write_bytes(b"")
    return folder


def sit(
    folder: Path, texts: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch, **more: Any
) -> list[Row]:
    scorer = more.pop("scorer", None) or seeks(folder, "anna")
    options = more.pop("options", {})
    monkeypatch.setattr(onnx_scoring, "load_scorer", lambda *_, **__: scorer)
    records = [
        Passage(
            id=f"p{number}",
            text=text,
            questions=(Question(id=f"q{number}", text=question, options=options.get(number, ())),),
        )
        for number, (text, question) in enumerate(texts)
    ]
    test = in_memory(Header(name="t", language="en"), records)
    parameters = "".join(f", {name}={value}" for name, value in more.items())
    name, candidate = build_candidate(f"span(model={folder}{parameters})", test)
    make_ready(name, candidate, test.kind, "en")
    return list(candidate.answer(list(test.units())))


def test_the_answer_is_cut_from_the_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sit(folder, [(TEXT, "Who keeps goats?")], monkeypatch)
    assert row.text == "Anna"
    assert TEXT[row.start : row.end] == "Anna"
    first, last = row.sentence or (0, 0)
    assert TEXT[first:last].strip() == "Anna keeps 12 goats."
    assert row.evidence["likely"][0]["text"] == "Anna"
    assert row.score == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("message", ["CUDA out of memory", "Failed to allocate memory for buffer"])
def test_a_batch_without_room_is_halved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    plain = seeks(folder, "anna")
    sizes = []

    def cramped(ids: Any, types: Any, mask: Any) -> Any:
        sizes.append(len(ids))
        if len(ids) > 3:
            raise RuntimeError(message)
        return plain(ids, types, mask)

    pairs = [(f"{TEXT} {number} ponds.", "Who keeps goats?") for number in range(11)]
    assert sit(folder, pairs, monkeypatch, scorer=cramped, batch=11) == sit(
        folder, pairs, monkeypatch, batch=11
    )
    assert max(sizes) == 11
    assert min(sizes) <= 3
    assert sizes.count(1) <= 1  # asked together, as many as there is room for


def test_a_batch_is_as_large_as_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = seeks(folder, "anna")
    sizes = []

    def counted(ids: Any, types: Any, mask: Any) -> Any:
        sizes.append(len(ids))
        return plain(ids, types, mask)

    pairs = [(TEXT, f"Who keeps goats? {number}") for number in range(300)]
    rows = sit(folder, pairs, monkeypatch, scorer=counted, batch=290)
    assert sizes == [290, 10]
    assert [row.text for row in rows] == ["Anna"] * 300


@pytest.mark.parametrize(("decide", "answer"), [("em", "Anna"), ("f1", "Anna keeps 12 goats")])
def test_the_answer_is_the_likeliest_or_what_overlaps_most(
    folder: Path, monkeypatch: pytest.MonkeyPatch, decide: str, answer: str
) -> None:
    tokenizer = load_tokenizer(folder, simplify=False)
    anna, twelve, goats = (tokens.ids for tokens in tokenizer.cut(["anna", "12", "goats"]))

    def score(ids: Any, types: Any, mask: Any) -> Any:
        starts = (ids == anna[0]) * 9.1 + (ids == twelve[0]) * 9.0
        return np.stack([starts, (ids == anna[-1]) * 9.1 + (ids == goats[-1]) * 9.0], -1)

    (row,) = sit(folder, [(TEXT, "Who?")], monkeypatch, scorer=score, decide=decide)
    assert row.text == answer
    assert row.evidence["likely"][0]["text"] == answer
    assert row.score == row.evidence["likely"][0]["probability"]
    assert len(row.evidence["likely"]) == 3


def test_a_question_with_options_is_answered_by_one_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {0: ("Bo", "ANNA!", "the mill"), 2: ("anna of the mill", "a pond")}
    rows = sit(folder, [(TEXT, "Who?")] * 3, monkeypatch, options=options, best=2)
    assert [row.id for row in rows] == ["q0", "q1", "q2"]
    assert [row.text for row in rows] == ["ANNA!", "Anna", "anna of the mill"]
    row = rows[0]
    assert (row.start, row.end) == (None, None)
    assert TEXT[slice(*row.sentence)].strip() == "Anna keeps 12 goats."
    assert row.evidence["span"] == row.evidence["likely"][0] == rows[1].evidence["likely"][0]
    assert row.evidence["none"] == rows[1].evidence["none"]
    assert row.evidence["span"]["text"] == "Anna"
    assert len(row.evidence["likely"]) == 2
    assert row.score > 2 * rows[2].score > 0


def test_options_are_weighed_by_more_than_is_listed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {0: ("a goose", "the north")}
    (row,) = sit(folder, [(TEXT, "Who?")], monkeypatch, options=options, best=1)
    assert [answer["text"] for answer in row.evidence["likely"]] == ["Anna"]
    assert row.text == "the north"
    assert "north" in row.evidence["span"]["text"]
    assert 0 < row.score < 0.01


def test_no_option_where_no_answer_is_likelier_or_nothing_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {0: ("Anna", "Bo"), 1: ("Anna", "Bo")}
    pairs = [(TEXT, "Who?"), ("", "Who?")]
    rows = sit(folder, pairs, monkeypatch, options=options, no_answer=-30)
    assert [(row.text, row.error) for row in rows] == [("", None)] * 2


def test_a_passage_longer_than_any_window_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "The mill stands in the north. " * 40 + "Anna keeps hens."
    (row,) = sit(folder, [(long, "Who?")], monkeypatch)
    assert row.start == long.index("Anna")


def test_empty_passages_and_questions_have_rows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = sit(folder, [("", "Who?"), (TEXT, ""), ("   ", "")], monkeypatch)
    assert [row.text for row in rows] == ["", "Anna", ""]


def test_no_answer_where_none_is_likelier(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = sit(folder, [(TEXT, "Who?")], monkeypatch, no_answer=-30)
    assert row.text == ""
    assert row.evidence == {"none": -18.0}


def test_what_goes_wrong_with_one_question_is_its_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = seeks(folder, "anna")

    def score(ids: Any, types: Any, mask: Any) -> Any:
        if (ids == int(load_tokenizer(folder, simplify=False).cut(["pond"])[0].ids[0])).any():
            raise RuntimeError("no pond")
        return good(ids, types, mask)

    rows = sit(folder, [(TEXT, "Who?"), ("A pond.", "Who?")], monkeypatch, scorer=score)
    assert rows[0].text == "Anna"
    assert rows[1].error == "RuntimeError: no pond"


def test_marks_of_the_last_character_belong_to_it() -> None:
    text = "cafe\u0301 ☂\ufe0f x"
    assert end_with_marks(text, 4) == 5
    assert end_with_marks(text, 7) == 8
    assert end_with_marks(text, len(text)) == len(text)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "span.json").unlink(), "holds no span reader"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "a tokenizer with offsets"),
        (lambda folder: (folder / "model.onnx").unlink(), "has no model.int8.onnx or model.onnx"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"x"), "cannot be run"),
    ],
)
def test_a_broken_folder_is_refused_in_one_line(
    folder: Path, spoil: Callable[[Path], object], message: str
) -> None:
    spoil(folder)
    test = in_memory(Header(name="t", language="en"), [])
    name, candidate = build_candidate(f"span(model={folder})", test)
    with pytest.raises(ReadmarkError, match=message) as refusal:
        make_ready(name, candidate, test.kind, "en")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("parameter", ["batch=0", "batch=-3", "best=0", "longest=-1", "threads=-5"])
def test_numbers_that_mean_nothing_are_refused_before_anything_is_read(parameter: str) -> None:
    test = in_memory(Header(name="t", language="en"), [])
    with pytest.raises(UsageError, match=rf"{parameter} is less than") as refusal:
        build_candidate(f"span({parameter})", test)
    assert "\n" not in str(refusal.value)


def test_a_language_without_a_reader_is_refused() -> None:
    test = in_memory(Header(name="t", language="fi"), [])
    name, candidate = build_candidate("span", test)
    with pytest.raises(ReadmarkError, match="no span reader for 'fi'"):
        make_ready(name, candidate, test.kind, "fi")
