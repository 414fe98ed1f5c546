"""Marksheets that somebody spoilt: every command that reads one says so in one line, or works."""

import copy
import json
import random
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import readmark
from made import asked, comprehension, passage
from readmark.cli.main import cli
from readmark.core.errors import DataError
from readmark.core.sitting import Row
from readmark.marking.settings import MarkSettings
from sheets import sheet, sitting

pytestmark = pytest.mark.command

Path_ = tuple[str | int, ...]
Line = dict[str, Any]

UNREAD = ("error_classes", "shown")
DROP, NAN, INFINITE = "@drop@", "@nan@", "@infinite@"
VALUES: Mapping[str, Any] = {
    "dropped": DROP,
    "null": None,
    "list": [{}],
    "object": {"x": {"y": 1}},
    "empty object": {},
    "negative": -1,
    "number": 0.5,
    "huge": 1e308,
    "huge integer": 10**30,
    "nan": NAN,
    "infinite": INFINITE,
    "text": "x",
    "texts": ["x", "y"],
}
ROWS: Mapping[str, int] = {"header": 0, "record": 1, "unit": 2, "marks": -1}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A test, a marksheet with a panel, repeats, scores and costs, and a sound one beside it."""
    folder = tmp_path_factory.mktemp("desk")
    test = comprehension(
        passage("p0", asked("q0", ("ann", "kettle"), ("ben", "a kettle"), level=1)),
        passage("p1", asked("q1", ("ann", "coat"), ("ben", "a coat"), level=2)),
        language="en",
    )
    readmark.save(test, folder / "test.jsonl")
    usage = {"input": 3, "output": 4, "cost": 0.1}
    said = Row(id="q0", answer="kettle", score=0.5, start=3, end=9, evidence={"a": 1}, usage=usage)
    rows = {
        "q0": (said, Row(id="q0", answer="boat", repeat=1)),
        "q1": (Row(id="q1", answer="coat"), Row(id="q1", error="timed out", repeat=1)),
    }
    people = [sitting("pam", {"q0": "kettle", "q1": "hat"})]
    few = {"settings": MarkSettings(draws=5, trials=5), "by": ["level"]}
    sheet(folder, test, sitting("own", rows, repeats=2), people=people, **few)
    sheet(folder, test, sitting("sound", {"q0": "kettle"}), people=people, **few)
    return folder


def lines_of(desk: Path, name: str = "own") -> list[Line]:
    return [json.loads(line) for line in (desk / f"{name}.jsonl").read_text().splitlines()]


def members(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every member of a line; of a list and of marks alike the first alone."""
    if isinstance(value, dict):
        for at, name in enumerate(value):
            alike = at and {name, *value} <= {"em", "f1", "1", "2", "units"}
            if alike or name in UNREAD:
                continue
            yield (*path, name)
            yield from members(value[name], (*path, name))
    elif isinstance(value, list) and value:
        yield (*path, 0)
        yield from members(value[0], (*path, 0))


def spoilt(line: Line, path: Path_, value: Any) -> Line:
    """A line with another value in a place."""
    line = copy.deepcopy(line)
    holder: Any = line
    for name in path[:-1]:
        holder = holder[name]
    if value == DROP:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return line


def write(desk: Path, lines: list[Line], changed: int, line: Line) -> None:
    """The marksheet with one line changed."""
    whole = [*lines]
    whole[changed] = line
    text = "".join(json.dumps(one) + "\n" for one in whole)
    text = text.replace(f'"{NAN}"', "NaN").replace(f'"{INFINITE}"', "1e999")
    (desk / "spoilt.jsonl").write_text(text)


FEW = ("--draws", "5", "--trials", "5", "-m", "f1")
COMMANDS = {
    "table": ["table", "spoilt.jsonl"],
    "compare": ["compare", "test.jsonl", "spoilt.jsonl", "sound.jsonl", *FEW],
    "report": ["report", "sound.jsonl", "spoilt.jsonl", "-o", "page.html"],
}


def run(desk: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """The one line that a command ends with; None when it works."""
    monkeypatch.chdir(desk)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = CliRunner().invoke(cli, COMMANDS[command], standalone_mode=False)
    if done.exception is None:
        return None
    assert isinstance(done.exception, DataError), repr(done.exception)
    line = str(done.exception)
    assert "\n" not in line
    assert line.startswith("spoilt.jsonl:"), line
    return line


@pytest.mark.parametrize("row", ROWS)
def test_every_member_dropped_or_replaced(
    desk: Path, row: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = lines_of(desk)
    changed = ROWS[row]
    for path in members(lines[changed]):
        for name, value in VALUES.items():
            write(desk, lines, changed, spoilt(lines[changed], path, value))
            for command in ("table",) if row == "marks" else ("table", "compare"):
                try:
                    run(desk, command, monkeypatch)
                except Exception as error:  # which of a thousand it was
                    raise AssertionError(f"{command}: {path} {name}") from error


@pytest.mark.slow
def test_pages_of_spoilt_marksheets(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page takes longer: some of the same, drawn with a seed."""
    lines = lines_of(desk)
    cases = [
        (at, path, name) for at in ROWS.values() for path in members(lines[at]) for name in VALUES
    ]
    for at, path, name in random.Random(19).sample(cases, 60):
        write(desk, lines, at, spoilt(lines[at], path, VALUES[name]))
        try:
            run(desk, "report", monkeypatch)
        except Exception as error:
            raise AssertionError(f"line {at}: {path} {name}") from error


@pytest.mark.parametrize(
    ("row", "path", "value", "line"),
    [
        ("header", ("metrics",), {}, ":1: the header names no metrics"),
        ("header", ("metrics",), {"f1(": "x"}, ":1: the header's metrics: cannot read the param"),
        ("header", ("kind",), "recital", ":1: kind 'recital' is unknown"),
        ("header", ("repeats",), 10**9, ":1: schema: expected int <= 1000"),
        ("header", ("settings", "draws"), 10**12, ":1: the header's settings: draws 1,000,0"),
        ("header", ("settings", "draws"), True, ":1: the header's settings: draws is True, ex"),
        ("header", ("settings", "seed"), 0.5, ":1: the header's settings: seed is 0.5, expec"),
        ("header", ("panel",), [], ":3: unit q0: it has 1 vectors of .. for a panel of 0"),
        ("unit", ("fields", "level"), [{}], ":3: schema: expected .*, got object - at \\$.fields"),
        ("unit", ("fields", "level"), {"x": 1}, ":3: schema: expected .*, got object"),
        ("unit", ("vectors", "f1"), [1e308, 1], ":3: schema: expected float <= 1"),
        ("unit", ("vectors", "f1"), [1], ":3: unit q0: the vector of f1 has 1 numbers, expected 2"),
        ("unit", ("vectors",), {}, ":5: unit q1: it has vectors, but|:3: has no vector of f1"),
        ("unit", ("id",), "q1", ":5: unit q1: it is in the marksheet twice"),
        ("unit", ("answers", 0, "usage", "cost"), "x", ":3: schema: usage: cost is 'x', expected"),
        ("marks", ("marks", "units"), [], ":6: the marks row: expected int, got array"),
        ("marks", ("marks", "marks"), {}, ":6: the marks row: it has no marks"),
        ("marks", ("marks", "marks", "f9"), {}, ":6: the marks row: 'f9' is not a metric of"),
        ("marks", ("marks", "marks", "f1", "scale"), 0, ":6: the marks row: expected float > 0"),
        ("marks", ("marks", "repeats", "bleu"), {"scores": [], "deviation": 1}, "'bleu' has no"),
        ("marks", ("marks", "people", "method"), "guess", ":6: the marks row: invalid enum value"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    desk: Path, row: str, path: Path_, value: Any, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = lines_of(desk)
    write(desk, lines, ROWS[row], spoilt(lines[ROWS[row]], path, value))
    for command in ("table", "report", "compare"):
        found = run(desk, command, monkeypatch)
        assert found is not None, command
        assert re.search(line, found), found


def test_people_need_their_vectors(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lines_of(desk)
    last = spoilt(lines[-1], ("marks", "people", "method"), "leave-one-out")
    write(desk, lines, -1, last)
    for command in ("table", "report"):
        found = run(desk, command, monkeypatch)
        assert found == (
            "spoilt.jsonl:6: the marks row: it includes people (leave-one-out), "
            "but no unit has their vectors"
        )


def test_nothing_follows_the_marks(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lines_of(desk)
    write(desk, [*lines, lines[2]], 0, lines[0])
    for command in ("table", "report", "compare"):
        found = run(desk, command, monkeypatch)
        assert found == "spoilt.jsonl:7: a row follows the marks, which come last"
