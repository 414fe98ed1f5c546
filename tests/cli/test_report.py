"""`readmark report` on the command line: what it says, and one line for what it cannot take."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from sheets import GOOD, POOR, harbour, sheet, sitting, two_sheets
from small_files import contents

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two marksheets, and what is none."""
    two_sheets(tmp_path)
    (tmp_path / "test.jsonl").write_text('{"readmark": 1, "kind": "comprehension"}\n')
    (tmp_path / "p.json").write_text('{"q1": "x"}')
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    text = (tmp_path / "good.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-1]))
    (tmp_path / "torn.jsonl").write_text(text[: len(text) - 40])
    (tmp_path / "newer.jsonl").write_text(text.replace('{"readmark":1', '{"readmark":99', 1))
    (tmp_path / "kind.jsonl").write_text(text.replace("comprehension", "recital", 1))
    (tmp_path / "twice.jsonl").write_text("".join([*lines[:3], lines[2], *lines[3:]]))
    (tmp_path / "nothing.jsonl").write_text(lines[0] + lines[-1])
    (tmp_path / "settings.jsonl").write_text(text.replace('"seed":1', '"seed":-1', 1))
    marks = json.loads(lines[-1])
    for name, change in {
        "markless": {"marks": {}},
        "odd": {"marks": {"f1": {"score": "high"}}},
        "slice": {"by": {"level": {"1": {"f1": {"score": 1.0}}}}},
    }.items():
        row = {**marks, "marks": {**marks["marks"], **change}}
        (tmp_path / f"{name}.jsonl").write_text("".join([*lines[:-1], json.dumps(row)]))
    (tmp_path / "report.html").write_bytes(b"old and whole\n")
    return tmp_path


def test_it_writes_the_page_and_says_where(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("report", "poor.jsonl", "good.jsonl", "-o", "new.html", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "readmark: report of harbour written to new.html\n"
    assert (folder / "new.html").read_text("utf-8").startswith("<!doctype html>")


def test_json(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli(
        "report", "good.jsonl", "-o", "new.html", "--title", "A title", "--json", cwd=folder
    )
    told = json.loads(done.stdout)
    assert done.stderr == ""
    assert told == {
        "path": "new.html",
        "size": (folder / "new.html").stat().st_size,
        "tests": ["harbour"],
        "candidates": 1,
        "units": 8,
    }
    assert "<title>A title</title>" in (folder / "new.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (["test.jsonl"], 1, "test.jsonl: is a Readmark test, expected a marksheet"),
        (["p.json"], 1, "p.json: is a JSON object.*, expected a marksheet"),
        (["binary"], 1, "binary: is a binary file, expected a marksheet"),
        (["absent.jsonl"], 1, "absent.jsonl: no such file"),
        (["."], 1, "is a directory"),
        (["cut.jsonl"], 1, "cut.jsonl: the marksheet ends before its marks; mark again"),
        (["torn.jsonl"], 1, r"torn.jsonl:\d+: json: not valid JSON"),
        (["newer.jsonl"], 1, "newer.jsonl:1: newer_schema: made for schema 99"),
        (["kind.jsonl"], 1, "kind.jsonl:1: kind 'recital' is unknown; known: comprehension"),
        (["twice.jsonl"], 1, "twice.jsonl:4: unit fox-1: it is in the marksheet twice"),
        (["nothing.jsonl"], 1, "nothing.jsonl: the marksheet has no units"),
        (["settings.jsonl"], 1, "settings.jsonl:1: the header's settings: seed -1 is negative"),
        (["markless.jsonl"], 1, r"markless.jsonl:\d+: the marks row: it has no marks"),
        (["odd.jsonl"], 1, r"odd.jsonl:\d+: the marks row: expected float \| null, got str"),
        (["slice.jsonl"], 1, r"slice.jsonl:\d+: the marks row: a slice does not say its units"),
        (["good.jsonl", "good.jsonl"], 2, "good.jsonl is given twice"),
        (["good.jsonl", "--language", "fr"], 2, "--language"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_it_cannot_take(
    readmark_cli: Run, folder: Path, args: list[str], status: int, line: str
) -> None:
    import re

    before = contents(folder)
    done = readmark_cli("report", *args, "-o", "report.html", cwd=folder)
    [told] = done.stderr.splitlines()
    assert re.search(line, told), told
    assert (done.returncode, done.stdout) == (status, "")
    assert contents(folder) == before


def test_the_page_does_not_take_a_marksheet_s_place(readmark_cli: Run, folder: Path) -> None:
    before = contents(folder)
    done = readmark_cli("report", "good.jsonl", "-o", "good.jsonl", cwd=folder)
    assert done.returncode == 2
    assert "good.jsonl is a marksheet of the report" in done.stderr
    assert contents(folder) == before


def test_sittings_are_marked_on_the_way(readmark_cli: Run, tmp_path: Path) -> None:
    readmark.save(harbour(), tmp_path / "harbour.jsonl")
    (tmp_path / "poor.json").write_text(json.dumps(POOR))
    (tmp_path / "good.json").write_text(json.dumps({**GOOD, "none-of-these": "x"}))
    args = ["harbour.jsonl", "poor.json", "good.json", "-m", "em", "--by", "genre"]
    done = readmark_cli("report", *args, "--people", "poor.json", "-o", "r.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    note, written = done.stderr.splitlines()
    assert "answers to units that the test does not have: 1 (none-of-these)" in note
    assert written == "readmark: report of harbour written to r.html"
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "readmark report poor.marks.jsonl good.marks.jsonl -o r.html" in page
    assert "--by genre --people SITTING:poor --seed 1 -o good.marks.jsonl" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "good.json",
        "harbour.jsonl",
        "poor.json",
        "r.html",
    ]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["good.jsonl", "-m", "em"], "are for sittings: marksheets have theirs"),
        (["harbour.jsonl", "good.json", "good.json"], "good.json is given twice"),
        (["harbour.jsonl", "good.json", "-o", "good.json"], "good.json is an input of the report"),
    ],
)
def test_what_it_cannot_mark(readmark_cli: Run, folder: Path, args: list[str], line: str) -> None:
    readmark.save(harbour(), folder / "harbour.jsonl")
    (folder / "good.json").write_text(json.dumps(GOOD))
    before = contents(folder)
    output = [] if "-o" in args else ["-o", "report.html"]
    done = readmark_cli("report", *output, *args, cwd=folder)
    [told] = done.stderr.splitlines()
    assert line in told
    assert done.returncode == 2
    assert contents(folder) == before


@pytest.mark.parametrize("again", ["good.jsonl", "./good.jsonl", "link.jsonl"])
def test_a_marksheet_is_given_once_whether_or_not_there_is_a_page_yet(
    readmark_cli: Run, folder: Path, again: str
) -> None:
    (folder / "link.jsonl").symlink_to(folder / "good.jsonl")
    done = readmark_cli("report", "good.jsonl", again, "-o", "new.html", cwd=folder)
    assert (done.returncode, done.stderr) == (2, f"readmark: {again} is given twice\n")
    assert not (folder / "new.html").exists()


def test_marksheets_may_be_compressed(readmark_cli: Run, folder: Path) -> None:
    packed = sheet(folder, harbour(), sitting("packed", GOOD))
    path = folder / "packed.jsonl.gz"
    import gzip

    path.write_bytes(gzip.compress(packed.read_bytes()))
    done = readmark_cli("report", path.name, "-o", "new.html", cwd=folder)
    assert done.returncode == 0
