"""Exit status 3: conditions that the user sets, after bad usage (2) and bad data (1)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage

Run = Callable[..., subprocess.CompletedProcess[str]]
IDS = [f"q{index:02}" for index in range(20)]


@pytest.fixture
def run(readmark_cli: Run, tmp_path: Path) -> Run:
    """``readmark mark`` of 14 right answers of 20, with the status it must have."""
    test = comprehension(*(passage(id, asked(id, "kettle")) for id in IDS), language="en")
    readmark.save(test, tmp_path / "t.jsonl")
    (tmp_path / "a.json").write_text(json.dumps(dict.fromkeys(IDS[:14], "kettle")))
    lines = [{"readmark": 1, "file": "sitting", "candidate": "c"}]
    lines += [{"id": id, "text": "kettle"} for id in IDS[:14]] + [{"id": "q19", "error": "late"}]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")

    def call(*args: str, status: int) -> subprocess.CompletedProcess[str]:
        done = readmark_cli("mark", "t.jsonl", *args, "--draws", "100", cwd=tmp_path)
        assert done.returncode == status, done.stderr
        return done

    return call


@pytest.mark.parametrize(
    ("conditions", "unmet"),
    [
        (["f1=70"], []),  # 14 of 20 is 70
        (["f1=70", "em=69.999"], []),
        (["f1.low=20"], []),
        (["f1=-1e9"], []),
        (["f1=70.01"], ["f1 is 70.00, expected at least 70.01"]),
        (["f1 = 71"], ["f1 is 70.00, expected at least 71"]),
        (
            ["em=80", "f1.low=70"],
            [
                "em is 70.00, expected at least 80",
                "the low end of f1 is 50.00, expected at least 70",
            ],
        ),
        (["f1=70.000002"], ["f1 is 70.00, expected at least 70.000002"]),
    ],
)
def test_conditions(run: Run, conditions: list[str], unmet: list[str]) -> None:
    options = [part for condition in conditions for part in ("--fail-under", condition)]
    done = run("a.json", *options, "--json", status=3 if unmet else 0)
    document = json.loads(done.stdout)
    lines = [line for line in done.stderr.splitlines() if "condition" in line]
    assert lines == [f"readmark: condition not met: {line}" for line in unmet]
    assert document.get("unmet", []) == [f"condition not met: {line}" for line in unmet]


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        ("f1", "'f1' is not METRIC=NUMBER or METRIC.low=NUMBER"),
        ("f1=high", "'f1=high' is not METRIC=NUMBER"),
        ("f1=nan", "'f1=nan' is not METRIC=NUMBER"),
        ("=70", "not a name: ''"),
        ("recall=70", "'recall=70': recall is not marked; marked: em, f1"),
        ("f2=70", "unknown metric 'f2'"),
        ("f1.high=70", "unknown metric 'f1.high'"),
    ],
)
def test_bad_conditions_are_bad_usage(run: Run, condition: str, line: str) -> None:
    done = run("a.json", "--fail-under", condition, "-o", "m.jsonl", status=2)
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_failed_rows_come_before_an_unmet_condition(run: Run) -> None:
    done = run("e.jsonl", "--fail-under", "f1=99", status=1)
    assert "condition not met: f1 is 70.00" in done.stderr
    run("e.jsonl", "--fail-under", "f1=99", "--errors-as-wrong", status=3)
    run("e.jsonl", "--fail-under", "f1=70", "--errors-as-wrong", status=0)


def test_a_name_with_parameters(run: Run) -> None:
    metrics = ("-m", "f1(profile=zh)", "-m", "em")
    run("a.json", *metrics, "--fail-under", "f1( profile = zh )=70", status=0)
    run("a.json", *metrics, "--fail-under", "f1(profile=zh).low=70", status=3)


def test_the_marksheet_is_written_all_the_same(run: Run, tmp_path: Path) -> None:
    run("a.json", "--fail-under", "f1=99", "-o", "m.jsonl", status=3)
    marks = json.loads((tmp_path / "m.jsonl").read_text().splitlines()[-1])["marks"]
    assert marks["unmet"] == ["condition not met: f1 is 70.00, expected at least 99"]
