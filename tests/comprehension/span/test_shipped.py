"""The span readers that come with the package: they read at once, offline, and fit."""

from __future__ import annotations

from importlib.resources import files
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from readmark.comprehension.span.model import shipped_model
from readmark.comprehension.span.reader import SpanReader
from readmark.core.records import Passage, Question
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test
from readmark.marking import mark
from readmark.sitting.runner import sit
from span_encoder import float_products

BUNDLE = Path(str(files("readmark"))) / "bundle"
MOST = 64_000_000
"""What both may weigh together, in bytes."""


def test_both_fit_and_tell_what_they_are() -> None:
    folders = [shipped_model(language) for language in ("en", "zh")]
    shipped_files = [path for folder in folders for path in folder.iterdir()]
    assert sum(path.stat().st_size for path in shipped_files) < MOST
    for folder in folders:
        card = (folder / "CARD.md").read_text(encoding="utf-8")
        for part in ("What it is made from", "How it was made", "Marks", "What it is bad at"):
            assert f"## {part}" in card


@pytest.mark.parametrize(("language", "width"), [("en", 384), ("zh", 384)])
def test_their_heads_are_in_float(language: str, width: int) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed")
    assert float_products(shipped_model(language) / "model.int8.onnx") == [(width, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "least"), [("en", 50), ("zh", 55)])
def test_they_read_the_bundle(language: str, least: float, tmp_path: Path) -> None:
    file, out = BUNDLE / f"reading.{language}.jsonl", tmp_path / "answers.jsonl"
    done = sit(file, "span", out)
    assert (done.errors, done.unanswered) == (0, 0)
    assert mark(file, out, metrics=["f1"]).marks["f1"].score > least
    texts = {unit.id: unit.record.text for unit in open_test(file).units()}
    rows = [msgspec.json.decode(line) for line in out.read_bytes().splitlines()]
    answers = {row["id"]: row for row in rows if "id" in row}
    assert answers.keys() == texts.keys()
    for at, row in answers.items():
        assert texts[at][row["start"] : row["end"]] == row["text"] != ""


CHOICES = {
    "en": (
        "The ferry was built in 1904 by a joiner named Peter Lowe. It carried goats and salt "
        "across the sound until the bridge was opened. Today it lies in the museum at Harwick.",
        ("Who built the ferry?", ("a smith from Harwick", "the joiner Peter Lowe", "two goats")),
        ("What did the ferry carry?", ("goats and salt", "a bridge", "joiners", "a museum")),
        ("Where is the ferry today?", ("under the bridge", "on the sound", "in a museum")),
    ),
    "zh": (
        "这条渡船是木匠罗平在1904年造的。它一直运送山羊和盐，直到大桥通车。如今它停放在河湾博物馆里。",
        ("渡船是谁造的？", ("一位铁匠", "木匠罗平", "两只山羊")),
        ("渡船运送什么？", ("山羊和盐", "大桥", "木匠", "博物馆")),
        ("渡船如今停放在哪里？", ("大桥下面", "海峡对岸", "在博物馆里")),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "right"),
    [
        ("en", ("the joiner Peter Lowe", "goats and salt", "in a museum")),
        ("zh", ("木匠罗平", "山羊和盐", "在博物馆里")),
    ],
)
def test_they_choose_among_options(language: str, right: tuple[str, ...]) -> None:
    text, *asked = CHOICES[language]
    questions = tuple(
        Question(id=f"q{at}", text=words, options=options)
        for at, (words, options) in enumerate(asked)
    )
    record = Passage(id="p", text=text, questions=questions)
    test = in_memory(Header(name="t", language=language), [record])
    candidate = SpanReader()
    candidate.prepare(test.kind, language)
    rows = list(candidate.answer(test.units()))
    assert tuple(row.text for row in rows) == right
    for row in rows:
        span = row.evidence["span"]
        assert text[span["start"] :].startswith(span["text"])
        assert row.sentence[0] <= span["start"] < row.sentence[1]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_hangs_on_no_other_question(language: str) -> None:
    test = open_test(BUNDLE / f"reading.{language}.jsonl")
    units = list(test.units())[:12]
    candidate = SpanReader()
    candidate.prepare(test.kind, language)
    together = {row.id: row for row in candidate.answer(units)}
    alone = {row.id: row for unit in reversed(units) for row in candidate.answer([unit])}
    assert together == alone


@pytest.mark.slow
def test_the_english_one_reads_xquad(shared: Path, tmp_path: Path) -> None:
    file = shared / "data" / "xquad" / "en.json"
    sit(file, "span", tmp_path / "answers.jsonl")
    assert mark(file, tmp_path / "answers.jsonl", metrics=["f1"]).marks["f1"].score > 62


@pytest.mark.slow
def test_the_chinese_one_reads_cmrc(shared: Path, tmp_path: Path) -> None:
    """The first thirty passages of the trial set: the whole takes minutes."""
    whole = open_test(shared / "data" / "cmrc2018" / "trial.json")
    some = in_memory(whole.header, list(islice(whole.records(), 30)))
    sit(some, "span", tmp_path / "answers.jsonl")
    assert mark(some, tmp_path / "answers.jsonl", metrics=["f1"]).marks["f1"].score > 64
