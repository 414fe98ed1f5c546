"""The span readers that come with the package: they read at once, offline, and fit."""

from __future__ import annotations

from importlib.resources import files
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from readmark.corpus.formats import open_test
from readmark.corpus.test import in_memory
from readmark.models.span.shipped import shipped
from readmark.sitting.candidates.span import Span
from readmark.workflows.api import mark, sit

BUNDLE = Path(str(files("readmark"))) / "bundle"
MOST = 40_000_000
"""What both may weigh together, in bytes."""


def test_both_fit_and_tell_what_they_are() -> None:
    folders = [shipped(language) for language in ("en", "zh")]
    held = [path for folder in folders for path in folder.iterdir()]
    assert sum(path.stat().st_size for path in held) < MOST
    for folder in folders:
        card = (folder / "CARD.md").read_text(encoding="utf-8")
        for part in ("What it is made from", "How it was made", "Marks", "What it is bad at"):
            assert f"## {part}" in card


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


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_hangs_on_no_other_question(language: str) -> None:
    test = open_test(BUNDLE / f"reading.{language}.jsonl")
    units = list(test.units())[:12]
    candidate = Span()
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
