"""Commands in pipes: ``-`` for input and output, process substitution, ``| head``."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from importlib.resources import files
from pathlib import Path

import pytest

from command_line import plain_environment
from examination import Run

READING = files("readmark.bundle").joinpath("reading.en.jsonl").read_text("utf-8")
SERIES = files("readmark.bundle").joinpath("series.en.jsonl").read_text("utf-8")


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "paper.jsonl").write_text(READING, encoding="utf-8")
    (tmp_path / "p.json").write_text('{"bookboat-1": "three thousand"}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "args",
    [
        ("check", "-"),
        ("stats", "-"),
        ("people", "-"),
        ("sit", "-", "-r", "lead", "-o", "s.jsonl"),
        ("mark", "-", "p.json"),
        ("compare", "-", "p.json", "p.json"),
        ("convert", "-", "out.json"),
        ("rate", "--formulas", "-"),
        ("rate", "-"),
        ("set", "levels", "-"),
        ("set", "screen", "-", "-o", "out.jsonl"),
        ("set", "export", "-", "-o", "folder", "--licence", "CC0-1.0"),
        ("report", "-", "p.json", "-o", "out.html"),
    ],
)
def test_a_test_on_standard_input(readmark_cli: Run, desk: Path, args: tuple[str, ...]) -> None:
    done = readmark_cli(*args, stdin=READING, cwd=desk)
    assert done.returncode == 0, done.stderr
    given = readmark_cli(
        *("paper.jsonl" if arg == "-" else f"2{arg}" if "out" in arg or arg == "folder" else arg
          for arg in args if not arg.startswith("s.j")),
        *(["2s.jsonl"] if "s.jsonl" in args else []),
        cwd=desk,
    )  # fmt: skip
    plain = given.stdout.replace("paper.jsonl", "-")
    assert done.stdout.split() == plain.split() or "rate" in args


def test_the_other_arguments(readmark_cli: Run, desk: Path) -> None:
    """A sitting, a marksheet and a series may come through standard input as well."""
    predictions = (desk / "p.json").read_text("utf-8")
    marked = readmark_cli("mark", "paper.jsonl", "-", "--json", stdin=predictions, cwd=desk)
    document = json.loads(marked.stdout)
    assert (document["answered"], document["candidate"]) == (1, "stdin")
    sheet = readmark_cli("mark", "paper.jsonl", "p.json", "-o", "-", cwd=desk)
    assert json.loads(sheet.stdout.splitlines()[0])["file"] == "marksheet"
    assert "units" in sheet.stderr
    assert readmark_cli("table", "-", stdin=sheet.stdout, cwd=desk).returncode == 0
    rewritten = readmark_cli("sit", "-", "-r", "none", "-o", "-", stdin=SERIES)
    assert rewritten.returncode == 0
    assert json.loads(rewritten.stdout.splitlines()[1])["rewrite"]


def test_the_format_is_detected_or_named(readmark_cli: Run, desk: Path) -> None:
    squad = readmark_cli("convert", "-", "-", "--to", "squad", stdin=READING)
    assert squad.returncode == 0
    assert list(json.loads(squad.stdout)["data"][0]) == ["title", "paragraphs"]
    for more in ((), ("--from", "squad")):
        checked = readmark_cli("check", "-", *more, stdin=squad.stdout)
        assert (checked.returncode, checked.stderr) == (0, "readmark: -: no problems\n")
    wrong = readmark_cli("check", "-", "--from", "cmrc2018", stdin=READING)
    assert wrong.returncode == 1
    assert "-:" in wrong.stdout + wrong.stderr
    native = readmark_cli("convert", "paper.jsonl", "-", cwd=desk)
    assert native.stdout.startswith('{"readmark":1,')
    assert native.stderr == "readmark: - written as native\n"


def test_a_sitting_streams(readmark_cli: Run, desk: Path) -> None:
    done = readmark_cli("sit", "-", "-r", "lead", "-o", "-", stdin=READING, cwd=desk)
    assert done.returncode == 0
    header, *rows = map(json.loads, done.stdout.splitlines())
    assert (header["file"], len(rows)) == ("sitting", 80)
    assert done.stderr == "readmark: -: lead sat 80 units: 80 answered\n"
    assert sorted(path.name for path in desk.iterdir()) == ["p.json", "paper.jsonl"]
    os.mkfifo(desk / "pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append((desk / "pipe").read_text("utf-8")))
    reader.start()
    assert readmark_cli("sit", "paper.jsonl", "-r", "lead", "-o", "pipe", cwd=desk).returncode == 0
    reader.join(10)
    assert len(got[0].splitlines()) == 81


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("mark", "-", "-"), "only one argument may be - (standard input)"),
        (("check", "-", "-"), "only one argument may be - (standard input)"),
        (
            ("set", "screen", "paper.jsonl", "-o", "-", "--report", "-"),
            "only one argument may be - (standard output)",
        ),
        (
            ("mark", "paper.jsonl", "p.json", "-o", "-", "--json"),
            "--json and the output - both write",
        ),
        (
            ("set", "export", "paper.jsonl", "-o", "-"),
            '-o needs a folder; "-" (standard output) is not allowed',
        ),
        (("get", "cmrc2018-dev", "-o", "-"), "name a file, not -"),
    ],
)
def test_bad_usage(readmark_cli: Run, desk: Path, args: tuple[str, ...], line: str) -> None:
    done = readmark_cli(*args, stdin=READING, cwd=desk)
    assert done.returncode == 2, done
    assert line in done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_answers_of_a_candidate(readmark_cli: Run, desk: Path) -> None:
    """The signature has the sum of what came through standard input."""
    predictions = (desk / "p.json").read_text("utf-8")
    args = ("sit", "paper.jsonl", "-r", "keyed(file=-)", "-o", "-")
    done = readmark_cli(*args, stdin=predictions, cwd=desk)
    header, row = map(json.loads, done.stdout.splitlines())
    assert header["signature"]["file"] == "stdin"
    assert header["signature"]["sha256"] == hashlib.sha256(predictions.encode()).hexdigest()[:16]
    assert row["text"] == "three thousand"


def test_a_table_on_standard_input(readmark_cli: Run) -> None:
    """Rows without a suffix are known by their headings, in any encoding that sheets have."""
    table = "passage,question,answer\nThe cat sat.,What sat?,the cat\n"
    done = readmark_cli("convert", "-", "-", "--to", "squad", stdin=table)
    assert json.loads(done.stdout)["data"][0]["paragraphs"][0]["context"] == "The cat sat."
    prose = "The harbour was quiet, and boats came in.\nPeople bought fish, and talked.\n"
    rated = json.loads(readmark_cli("rate", "-", "--json", stdin=prose).stdout)
    assert list(rated["ratings"]) == ["stdin"]


def test_a_dash_among_words_is_a_word(readmark_cli: Run) -> None:
    assert readmark_cli("score", "em", "-", "-").stdout == "1.000\n"
    asked = readmark_cli("series", "ask", "Who is he?", "--target", "-", "-w", "append")
    assert asked.stdout == "Who is he? -\n"


def test_empty_input_is_one_line(readmark_cli: Run) -> None:
    done = readmark_cli("stats", "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("readmark: -: not a test of a format that is known: ")
    assert "it looks like an empty file" in done.stderr


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = f"readmark() {{ '{sys.executable}' -m readmark \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=plain_environment(),
        check=False,
    )


@pytest.mark.process
def test_workers_read_the_same_copy(desk: Path) -> None:
    temporary = desk / "tmp"
    temporary.mkdir()
    os.mkfifo(desk / "pipe")
    done = shell(
        f"export TMPDIR={temporary}; "
        "readmark sit paper.jsonl -r 'keyed(file=-)' --workers 2 -o - < p.json 2>/dev/null"
        " | wc -l; "
        "cat p.json > pipe & "
        "readmark sit paper.jsonl -r 'keyed(file=pipe)' --workers 2 -o - 2>/dev/null | wc -l; wait",
        desk,
    )
    assert done.stdout.split() == ["2", "2"]
    assert not list(temporary.iterdir())


@pytest.mark.process
def test_in_a_shell(desk: Path) -> None:
    """Process substitution, two inputs at once, and a reader that leaves."""
    (desk / "big.jsonl").write_text(
        READING.splitlines()[0]
        + "\n"
        + "".join(
            line.replace('"id":"', f'"id":"{copy}') + "\n"
            for copy in range(20)
            for line in READING.splitlines()[1:]
        ),
        encoding="utf-8",
    )
    temporary = desk / "tmp"
    temporary.mkdir()
    done = shell(
        f"export TMPDIR={temporary}; "
        "readmark mark <(cat paper.jsonl) <(cat p.json) --json | wc -l; "
        "gzip -c paper.jsonl | readmark check -; "
        'readmark convert big.jsonl - | head -c 20; echo " ${PIPESTATUS[*]}"; '
        "readmark sit big.jsonl -r lead -o - | head -n 1 | wc -l; echo ${PIPESTATUS[*]}",
        desk,
    )
    assert done.stdout.splitlines() == ["1", '{"readmark":1,"kind" 0 0', "1", "0 0 0"]
    assert done.stderr == "readmark: -: no problems\n"
    assert not list(temporary.iterdir())
