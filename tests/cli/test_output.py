"""What commands print: short by default, in full when asked, as Markdown or CSV, at any width."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from rich.cells import cell_len

from made import asked, comprehension, passage
from readmark.cli.list import SECTIONS
from readmark.formats.registry import save_test

Run = Callable[..., CompletedProcess[str]]

TEST = comprehension(
    *(
        passage(
            f"p{index}",
            asked(f"p{index}-1", "red paint", text="What stood in the shed?", level=1),
            asked(f"p{index}-2", "in May", "May", text="When was it used?", level=2),
            text="A pot of red paint stood in the shed. It was used in May.",
            topic="漆|器",
        )
        for index in range(12)
    ),
    language="en",
    name="sheds",
)
ANSWERS = {f"p{index}-1": "red paint" for index in range(12)}
ANSWERS |= {f"p{index}-2": "in May" if index < 4 else "a pot" for index in range(12)}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("output")
    save_test(TEST, folder / "test.jsonl")
    for name, answers in (("词袋", ANSWERS), ("none", dict.fromkeys(ANSWERS, "shed"))):
        (folder / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return folder


@pytest.fixture
def run(readmark_cli: Run, desk: Path) -> Callable[..., str]:
    def call(*args: str, columns: int = 80) -> str:
        done = readmark_cli(*args, cwd=desk, env={"COLUMNS": str(columns)})
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


SHORT = """\
词袋 on sheds: 24 units, 24 answered
metric   score         interval
───────────────────────────────
em       66.67   54.17 to 79.17
f1       66.67   54.17 to 79.17
references: f1 66.67; machine on the same sets 27.78, ratio 0.42 (0.10 to 0.73)
most common error: wrong type (8 of 8); more: --by level, --full
"""


def test_mark_answers_in_few_lines(run: Callable[..., str]) -> None:
    """By hand: 16 of 24 are right. Of 12 questions with two answers, the four right ones get 1
    against "in May" and 2/3 against "May", and so does each person against the other.
    """
    shown = run("mark", "test.jsonl", "词袋.json", "-m", "em", "-m", "f1")
    assert shown == SHORT
    full = run("mark", "test.jsonl", "词袋.json", "-m", "em", "-m", "f1", "--full")
    assert "error classes" in full
    assert "signature " in full
    assert len(full.splitlines()) > 3 * len(shown.splitlines())


def test_mark_names_the_weakest_slice(run: Callable[..., str]) -> None:
    shown = run("mark", "test.jsonl", "词袋.json", "--by", "level")
    last = shown.splitlines()[-1]
    assert last.startswith("weakest slice: level 2, f1 33.33 (")
    assert last.endswith("), 12 units")


def test_compare_answers_in_few_lines(run: Callable[..., str]) -> None:
    shown = run("compare", "test.jsonl", "none.json", "词袋.json", "-m", "em")
    *_, last = shown.splitlines()
    assert last.startswith("词袋: better than none (p ")
    assert last.endswith(")")
    assert "signature" in run("compare", "test.jsonl", "none.json", "词袋.json", "--full")


COMMANDS = [
    ("mark", "test.jsonl", "词袋.json"),
    ("mark", "test.jsonl", "词袋.json", "--by", "level,topic"),
    ("compare", "test.jsonl", "none.json", "词袋.json", "-m", "em", "-m", "f1"),
    ("people", "test.jsonl", "--by", "topic"),
    ("stats", "test.jsonl"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_markdown_tables_are_whole(run: Callable[..., str], command: tuple[str, ...]) -> None:
    """Every row of a table has as many cells as its rule; a pipe in a label is escaped."""
    blocks = run(*command, "--format", "markdown").split("\n\n")
    tables = [block.strip().splitlines() for block in blocks if block.lstrip().startswith("|")]
    assert tables
    for lines in tables:
        counts = {line.replace("\\|", "").count("|") for line in lines}
        assert len(counts) == 1
        assert lines[1].startswith("| --- |")
        assert lines[1].endswith(" ---: |")
    if "level,topic" in command:
        assert any(line.startswith("| 漆\\|器 |") for lines in tables for line in lines)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_latex_tables_are_whole(run: Callable[..., str], command: tuple[str, ...]) -> None:
    """Every row has as many cells as the tabular has columns; all else is a comment."""
    tables, columns = 0, 0
    for line in run(*command, "--format", "latex").splitlines():
        if line.startswith("\\begin{tabular}"):
            tables, columns = tables + 1, len(line.removeprefix("\\begin{tabular}").strip("{}"))
        elif line == "\\end{tabular}":
            columns = 0
        elif columns and not line.endswith("rule"):
            assert line.endswith(" \\\\")
            assert line.replace("\\&", "").count("&") == columns - 1
        elif line and not columns:
            assert line.startswith("%")
    assert tables


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_csv_is_a_table(run: Callable[..., str], command: tuple[str, ...]) -> None:
    heads, *rows = csv.reader(io.StringIO(run(*command, "--format", "csv")))
    assert rows
    assert {len(row) for row in rows} == {len(heads)}


def test_csv_has_the_numbers_of_json(run: Callable[..., str]) -> None:
    command = ("mark", "test.jsonl", "词袋.json", "--by", "level")
    rows = list(csv.DictReader(io.StringIO(run(*command, "--format", "csv"))))
    document = json.loads(run(*command, "--json"))
    whole = {row["metric"]: float(row["score"]) for row in rows if not row["field"]}
    assert whole == {name: mark["score"] for name, mark in document["marks"].items()}
    [second] = [row for row in rows if row["value"] == "2" and row["metric"] == "em"]
    assert float(second["low"]) == document["by"]["level"]["2"]["em"]["low"]


LISTS = [("list", *what) for what in ((), *((name,) for name in (*SECTIONS, "span", "bow")))]
HELP = [("--help",), ("set", "--help"), ("series", "--help")]


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("command", [*COMMANDS, *LISTS, *HELP], ids=" ".join)
def test_lines_fit_and_end_without_spaces(
    run: Callable[..., str], command: tuple[str, ...], columns: int
) -> None:
    full = [run(*command, "--full", columns=columns)] if command in COMMANDS else []
    for shown in (run(*command, columns=columns), *full):
        for line in shown.splitlines():
            assert line == line.rstrip()
            if not line.startswith(("signature ", "  ")):  # signatures run on
                assert cell_len(line) <= columns, line
