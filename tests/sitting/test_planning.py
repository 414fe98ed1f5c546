"""The plan of a run: what is left to answer, without asking or writing anything."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.sitting.planning import plan

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_plan_counts_units_and_changes_nothing(six: Test, journal: Path) -> None:
    planned = plan(six, "lead", journal)
    assert (planned.units, planned.answered, planned.left) == (6, 0, 6)
    assert not journal.exists()
    readmark.sit(six, "lead", journal, limit=2, repeats=2)
    os.truncate(journal, journal.stat().st_size - 3)
    before = journal.read_bytes()
    planned = plan(six, "lead", journal, limit=5, repeats=2)
    assert (planned.units, planned.answered, planned.failed, planned.left) == (10, 3, 0, 7)
    assert planned.estimate is None
    assert journal.read_bytes() == before
    with pytest.raises(DataError, match="was begun with another `repeats`"):
        plan(six, "lead", journal)
    with pytest.raises(UsageError, match="makes no network requests"):
        plan(six, "lead", traffic=readmark.Traffic())


def test_a_plan_counts_error_rows_as_left(six: Test, journal: Path) -> None:
    readmark.sit(six, lambda unit: 1 / 0 if unit.id == "q2" else unit.id, journal)
    planned = plan(six, lambda unit: unit.id, journal)
    assert (planned.units, planned.answered, planned.failed, planned.left) == (6, 5, 1, 1)


def test_the_command_prints_the_plan(tmp_path: Path, six: Test, readmark_cli: Run) -> None:
    readmark.save(six, tmp_path / "t.jsonl")
    done = readmark_cli("sit", "t.jsonl", "-r", "lead", "--plan", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "lead would sit 6 units: 6 to answer\nnothing was asked\n",
    )
    done = readmark_cli("sit", "t.jsonl", "-r", "lead", cwd=tmp_path)
    assert done.returncode == 2
    assert "Missing option '-o'" in done.stderr
    done = readmark_cli("sit", "t.jsonl", "-r", "lead", "--plan", "--json", cwd=tmp_path)
    assert json.loads(done.stdout) == {
        "sitting": None, "candidate": "lead", "units": 6, "answered": 0, "failed": 0,
        "estimate": None, "left": 6, "forecast": None, "asked": 0, "errors": 0, "unanswered": 0,
        "notes": [],
    }  # fmt: skip
