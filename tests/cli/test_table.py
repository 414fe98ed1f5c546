"""``readmark table``: what it prints, and what it cannot take."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    from sheets import two_sheets

    two_sheets(tmp_path)
    (tmp_path / "notes.txt").write_text("no marksheet", encoding="utf-8")
    return tmp_path


def test_the_table(readmark_cli: Run, sheets: Path) -> None:
    done = readmark_cli("table", "dev=poor.jsonl", "test=good.jsonl", "dev=good.jsonl", cwd=sheets)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split() == ["candidate", "EM", "F1", "EM", "F1"]
    names = [line.split("  ")[0] for line in done.stdout.splitlines()[3:6]]
    assert names == ["people (leave-one-out)", "good", "poor"]
    assert done.stdout.splitlines()[5].split()[-2:] == ["–", "–"]
    assert "--same-sets" in done.stderr


def test_json(readmark_cli: Run, sheets: Path) -> None:
    done = readmark_cli("table", "poor.jsonl", "good.jsonl", "--json", cwd=sheets)
    told = json.loads(done.stdout)
    assert told["layout"] == "cmrc"
    assert told["splits"] == ["harbour"]
    assert [row["name"] for row in told["rows"]] == ["people (leave-one-out)", "good", "poor"]
    good = told["rows"][1]["splits"]["harbour"]
    assert good["units"] == 8
    assert set(good["by"]) == {"1", "2"}
    assert good["em"]["low"] <= good["em"]["score"] <= good["em"]["high"]


def test_a_field_gives_its_rows(readmark_cli: Run, sheets: Path) -> None:
    done = readmark_cli("table", "good.jsonl", "--by", "level", cwd=sheets)
    assert done.returncode == 0
    assert ["split", "level"] in [line.split()[:2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("form", "head"), [("markdown", 0), ("csv", 0), ("latex", 2)])
def test_forms(readmark_cli: Run, sheets: Path, form: str, head: int) -> None:
    done = readmark_cli("table", "good.jsonl", "--by", "level", "--format", form, cwd=sheets)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "good F1" in lines[head]
    assert sum("overall" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        ([], 2, "Missing argument"),
        (["absent.jsonl"], 1, "absent.jsonl: no such file"),
        (["dev=absent.jsonl"], 1, "absent.jsonl: no such file"),
        (["notes.txt"], 1, "expected a marksheet"),
        (["good.jsonl", "--rank-by", "dev"], 2, "no split 'dev'"),
        (["good.jsonl", "-m", "average"], 1, "has no marks of average"),
        (
            ["good.jsonl", "--layout", "smart"],
            2,
            "--layout is gone: leave it out; --by",
        ),
    ],
)
def test_what_it_cannot_take(
    readmark_cli: Run, sheets: Path, args: list[str], status: int, line: str
) -> None:
    done = readmark_cli("table", *args, cwd=sheets)
    assert done.returncode == status
    [told] = done.stderr.splitlines()
    assert line in told
    assert done.stdout == ""
