"""`readmark convert` with sittings and predictions, through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from converted import plain, write_lines

Run = Callable[..., subprocess.CompletedProcess[str]]
SITTING = {"readmark": 1, "file": "sitting", "candidate": "reader", "paper": "0" * 32}
ROWS = [
    {"id": "q1", "text": "茶馆", "start": 4, "end": 6, "score": 0.5},
    {"id": "q2", "text": ""},
    {"id": "q3", "error": "timed out"},
    {"id": "q4", "text": "one"},
    {"id": "q4", "text": "two", "repeat": 1},
]


def test_a_sitting_becomes_predictions_and_back(tmp_path: Path, readmark_cli: Run) -> None:
    write_lines(tmp_path / "s.jsonl", SITTING, *ROWS)
    done = readmark_cli("convert", "s.jsonl", "p.json.gz", cwd=tmp_path)
    assert done.returncode == 0
    *lost, last = done.stderr.splitlines()
    assert last == "readmark: p.json.gz written as predictions"
    for what, told in zip(("error rows", "repeats", "offsets, scores"), lost, strict=True):
        assert what in told
    answers = {"q1": "茶馆", "q2": "", "q4": "one"}
    assert json.loads(plain(tmp_path / "p.json.gz")) == answers
    done = readmark_cli("convert", "p.json.gz", "back.jsonl", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["format"] == "sitting"
    header, *rows = map(json.loads, (tmp_path / "back.jsonl").read_bytes().splitlines())
    assert (header["readmark"], header["file"], header["candidate"]) == (1, "sitting", "p")
    assert {row["id"]: row["text"] for row in rows} == answers


@pytest.mark.parametrize("target", ["copy.jsonl", "copy.jsonl.zst"])
def test_a_sitting_is_copied_whole(tmp_path: Path, readmark_cli: Run, target: str) -> None:
    write_lines(tmp_path / "s.jsonl", SITTING, *ROWS)
    assert readmark_cli("convert", "s.jsonl", target, cwd=tmp_path).returncode == 0
    header, *rows = map(json.loads, plain(tmp_path / target).splitlines())
    assert header == SITTING
    assert rows == ROWS


def test_rewrites_are_predictions_too(tmp_path: Path, readmark_cli: Run) -> None:
    write_lines(
        tmp_path / "s.jsonl", {**SITTING, "kind": "series"}, {"id": "q1", "rewrite": "Who?"}
    )
    assert readmark_cli("convert", "s.jsonl", "p.json", cwd=tmp_path).returncode == 0
    assert json.loads((tmp_path / "p.json").read_bytes()) == {"q1": "Who?"}


@pytest.mark.parametrize("target", ["s.parquet", "s.csv", "s.jsonl"])
def test_a_lone_question_is_no_sitting(target: str, tmp_path: Path, readmark_cli: Run) -> None:
    row = {"context": "A heron.", "question": "Who?", "answerA": "a", "answerB": "b", "label": "1"}
    write_lines(tmp_path / "one.jsonl", row)
    done = readmark_cli("convert", "one.jsonl", target, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "one.jsonl:1: expected rows with" in done.stderr
    assert "found: context, question, answerA, answerB, label" in done.stderr
    assert not (tmp_path / target).exists()


@pytest.mark.parametrize("target", ["s.parquet", "s.brcc", "s.txt.gz"])
def test_a_sitting_is_not_written_under_another_sorts_name(
    target: str, tmp_path: Path, readmark_cli: Run
) -> None:
    (tmp_path / "said.json").write_text('{"q1": "a kettle"}')
    done = readmark_cli("convert", "said.json", target, cwd=tmp_path)
    assert done.returncode == 2
    assert "a sitting is written to a file that ends in .jsonl, .json, .csv or .xlsx" in done.stderr
    assert not (tmp_path / target).exists()
