"""Bad sittings and marksheets through the real command line."""

import gzip
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from small_files import (
    PREDICTIONS,
    SITTING,
    bad_file,
    document,
    lines,
)

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

BAD_SITTINGS: dict[str, tuple[str, bytes | None, str, str]] = {
    "missing": ("none.json", None, "", "no such file"),
    "a directory": ("sub", None, "", "is a directory, expected a file"),
    "empty": (
        "b.json",
        b"",
        "",
        "it looks like an empty file; known: sitting, lm_eval_log, ",
    ),
    "binary": ("b.json", b"\x89PNG\r\n\x1a\n\0\0", "", "it looks like a binary file"),
    "a truncated gzip": ("b.json.gz", gzip.compress(b"{" * 99)[:-3], "", "is cut off before"),
    "invalid UTF-8": ("b.json", b'{"q1": "caf\xe9"}', ":1:12", r"not valid UTF-8 \(byte 0xe9\)"),
    "an array": (
        "b.json",
        b'["the stove"]',
        "",
        "it looks like a JSON array; known: sitting, lm_eval_",
    ),
    "an array of objects": (
        "b.json",
        b'[{"id": "q1"}]',
        "",
        "a JSON array of objects with members",
    ),
    "an id twice": ("b.json", b'{"q1": "a", "q1": "a"}', ":q1", "the id occurs twice"),
    "NaN": ("b.json", b'{"q1": NaN}', ":1:8", r"not valid JSON: invalid character \(found 'N'\)"),
    "null": ("b.json", b'{"q1": null}', ":q1", "the prediction is null, expected text"),
    "a number": ("b.json", b'{"q1": 3}', ":q1", "the prediction is 3, expected text"),
    "a list": ("b.json", b'{"q1": ["a"]}', ":q1", r"the prediction is \[\"a\"\], expected text"),
    "a newer schema": (
        "b.jsonl",
        lines({**SITTING, "readmark": 7, "new": 1}, {"id": "q1", "text": "x"}),
        ":1",
        "newer_schema: made for schema 7",
    ),
    "another kind": (
        "b.jsonl",
        lines({**SITTING, "kind": "series"}, {"id": "q1", "rewrite": "x"}),
        ":1",
        "is a sitting of a series test, expected comprehension",
    ),
    "another paper": (
        "b.jsonl",
        lines({**SITTING, "paper": "0" * 32}, {"id": "q1", "text": "x"}),
        "",
        "is a sitting of another paper",
    ),
    "a bad line in the middle": (
        "b.jsonl",
        lines(SITTING, '{"id": "q1", "text"', {"id": "q2", "text": "x"}),
        ":2",
        "json: not valid JSON",
    ),
    "repeats beyond measure": (
        "b.jsonl",
        lines({**SITTING, "repeats": 10**12}, {"id": "q1", "text": "x"}),
        ":1",
        "schema: expected int <= 1000 - at ",
    ),
    "a price in words": (
        "b.jsonl",
        lines(SITTING, {"id": "q1", "text": "x", "usage": {"cost": "dear"}}),
        ":2",
        "schema: usage: cost is 'dear', expected a number from 0",
    ),
    "a row without an answer": (
        "b.jsonl",
        lines(SITTING, {"id": "q1"}),
        ":2",
        "the row of 'q1' has neither 'text' nor 'error'",
    ),
    "a test": (
        "t.jsonl",
        None,
        "",
        "it looks like a Readmark test; known: sitting, lm_eval_log, ",
    ),
}


@pytest.mark.parametrize("what", BAD_SITTINGS)
def test_a_bad_sitting_is_not_marked(folder: Path, fails: Run, what: str) -> None:
    name, data, where, said = BAD_SITTINGS[what]
    bad_file(folder, name, data)
    args = ("mark", "t.jsonl", name, "-o", "out.jsonl")
    fails(*args, "--json", status=1, line=f"^readmark: {name}{where}: .*{said}")


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("compare", "t.jsonl", "p.json", "{}"), "missing"),
        (("compare", "t.jsonl", "{}", "p.json"), "an id twice"),
        (("people", "t.jsonl", "{}", "-o", "out.jsonl"), "null"),
        (("mark", "t.jsonl", "p.json", "--people", "{}", "-o", "out.jsonl"), "a list"),
        (("convert", "{}", "out.json"), "a newer schema"),
        (("convert", "{}", "out.jsonl"), "a number"),
    ],
)
def test_bad_sittings_elsewhere(folder: Path, fails: Run, args: tuple[str, ...], what: str) -> None:
    name, data, where, said = BAD_SITTINGS[what]
    bad_file(folder, name, data)
    chosen = [name if one == "{}" else one for one in args]
    fails(*chosen, status=1, line=f"^readmark: {name}{where}: .*{said}")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"own": 1}, "schema: object contains unknown field own"),
        ({"kind": "poetry"}, "kind 'poetry' is unknown; known: comprehension, series"),
    ],
)
def test_bad_headers_of_sittings_are_not_converted(
    folder: Path, fails: Run, header: dict[str, Any], said: str
) -> None:
    bad_file(folder, "b.jsonl", lines({**SITTING, **header}, {"id": "q1", "text": "x"}))
    fails("convert", "b.jsonl", "out.json", status=1, line=f"b.jsonl:1: {said}")


def test_answers_to_unknown_units(folder: Path, readmark_cli: Run, fails: Run) -> None:
    strangers = {f"x{at}": "words" for at in range(7)}
    bad_file(folder, "b.json", document({**PREDICTIONS, **strangers}))
    said = "b.json: answers to units that the test does not have: 7 (x0, x1, x2, x3, x4, …)"
    done = readmark_cli("mark", "t.jsonl", "b.json", "--json", "--no-units", cwd=folder)
    assert done.returncode == 0
    warning = "b.json: warning: only 2 of 9 answers are to units of t.jsonl; is it a sitting of"
    assert done.stderr == f"readmark: {warning} another test?\nreadmark: {said}\n"
    marked = json.loads(done.stdout)
    assert marked["unknown"] == 7
    assert marked["notes"] == [f"{warning} another test?", said]
    for more in (("--json",), ("-o", "out.jsonl")):
        args = ("mark", "t.jsonl", "b.json", "--strict", *more)
        fails(*args, status=1, line=f"^readmark: {re.escape(said)}$")


def test_a_torn_sitting_is_marked_with_a_note(folder: Path, readmark_cli: Run) -> None:
    bad_file(folder, "b.jsonl", lines(SITTING, {"id": "q1", "text": "x"}) + b'{"id": "q2", "te')
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", "--json", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == "readmark: b.jsonl:3: the last line is cut off and was left out\n"
    assert json.loads(done.stdout)["unanswered"] == ["q2"]


@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_error_rows_end_in_status_1(
    folder: Path, readmark_cli: Run, json_too: tuple[str, ...]
) -> None:
    row = {"id": "q2", "error": "timed out", "attempt": 3}
    bad_file(folder, "b.jsonl", lines(SITTING, {"id": "q1", "text": "x"}, row))
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", *json_too, cwd=folder)
    assert done.returncode == 1
    assert re.fullmatch(r"readmark: b\.jsonl: error rows: 1 \(q2\); .*\n", done.stderr)
    assert done.stdout
    forgiven = readmark_cli("mark", "t.jsonl", "b.jsonl", "--errors-as-wrong", cwd=folder)
    assert (forgiven.returncode, forgiven.stderr) == (0, "")


@pytest.mark.parametrize("without", ["[/passage]", "[bold]passage"])
def test_a_header_that_looks_like_mark_up(folder: Path, readmark_cli: Run, without: str) -> None:
    header = {**SITTING, "candidate": without, "without": without}
    bad_file(folder, "b.jsonl", lines(header, {"id": "q1", "text": "x"}))
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{without} on kitchen: ")
    assert f"without the {without}" in done.stdout


@pytest.mark.parametrize("vector", [[1.0], [1.0, 1.0, 1.0]])
def test_a_marksheet_with_vectors_of_another_width(
    folder: Path, readmark_cli: Run, fails: Run, vector: list[float]
) -> None:
    readmark_cli("mark", "t.jsonl", "p.json", "-o", "m.jsonl", cwd=folder)
    rows = [json.loads(line) for line in (folder / "m.jsonl").read_bytes().splitlines()]
    units = [row for row in rows if row.get("row") == "unit"]
    units[-1]["vectors"]["f1"] = vector
    bad_file(folder, "m.jsonl", lines(*rows))
    fails("compare", "t.jsonl", "m.jsonl", "p.json", status=1, line="^readmark: m.jsonl:.*f1")
