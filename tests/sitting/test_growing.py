"""A limited sitting that is resumed with a larger limit."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import comprehension
from readmark.core.errors import DataError
from readmark.core.sitting import SittingHeader
from readmark.core.test import Test

Sit = Callable[..., Any]
Run = Callable[..., subprocess.CompletedProcess[str]]
FEW = readmark.MarkSettings(draws=20, trials=20)


def header_of(journal: Path) -> SittingHeader:
    return msgspec.json.decode(journal.read_bytes().splitlines()[0], type=SittingHeader)


def ids(journal: Path) -> list[str]:
    return [json.loads(line)["id"] for line in journal.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("candidate", ["lead", "slow(ms=0)"])
@pytest.mark.parametrize("limits", [(2, 4), (2, 4, 5), (1, None), (3, 99), (2, 3, None)])
def test_a_limit_grows_and_nothing_is_asked_again(
    six: Test, journal: Path, tmp_path: Path, candidate: str, limits: tuple[int | None, ...]
) -> None:
    before = 0
    for limit in limits:
        done = readmark.sit(six, candidate, journal, limit=limit)
        units = min(limit or 6, 6)
        assert (done.progress.total, done.progress.before) == (units, before)
        assert ids(journal) == [f"q{number}" for number in range(1, units + 1)]
        covers = tuple(f"q{number}" for number in range(1, units + 1)) if units < 6 else None
        assert header_of(journal).covers == covers
        before = units
    at_once = tmp_path / "at_once.jsonl"
    readmark.sit(six, candidate, at_once, limit=limits[-1])
    assert header_of(at_once) == header_of(journal)
    grown, whole = (readmark.mark(six, path, settings=FEW) for path in (journal, at_once))
    assert grown.as_json() == whole.as_json()
    assert sorted(tmp_path.glob("*.growing")) == []


def test_a_limit_grows_where_nothing_open_can_be_renamed(
    six: Test, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: the old file and the new one are closed when one takes the other's place."""
    replace_file = Path.replace

    def replace(path: Path, target: Path) -> Path:
        open_files = {os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()}
        assert not {os.path.realpath(path), os.path.realpath(target)} & open_files
        return replace_file(path, target)

    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc here")
    monkeypatch.setattr("readmark.sitting.journal.RENAMES_OPEN", False)
    readmark.sit(six, "lead", journal, limit=2)
    monkeypatch.setattr(Path, "replace", replace)
    readmark.sit(six, "lead", journal, limit=4)
    assert ids(journal) == ["q1", "q2", "q3", "q4"]
    assert header_of(journal).limit == 4


def test_with_workers_repeats_and_a_torn_line(six: Test, journal: Path) -> None:
    readmark.sit(six, "lead", journal, limit=2, repeats=2)
    os.truncate(journal, journal.stat().st_size - 3)
    journal.with_name(f"{journal.name}.growing").write_bytes(b"what a killed run left")
    done = readmark.sit(six, "lead", journal, limit=5, repeats=2, workers=2)
    assert (done.progress.total, done.progress.before) == (10, 3)
    assert sorted(ids(journal)) == sorted([f"q{number}" for number in range(1, 6)] * 2)


def test_a_smaller_limit_is_refused_and_nothing_changes(six: Test, journal: Path) -> None:
    readmark.sit(six, "lead", journal, limit=4)
    before = journal.read_bytes()
    with pytest.raises(DataError, match=r"was begun with another `limit` \(4, now 2\)"):
        readmark.sit(six, "lead", journal, limit=2)
    with pytest.raises(DataError, match="another candidate"):
        readmark.sit(six, "slow(ms=0)", journal, limit=5)
    assert journal.read_bytes() == before


def test_another_order_of_units_is_refused_until_all_are_sat(six: Test, journal: Path) -> None:
    """The first units of a shuffled test are others; its whole is the same."""
    readmark.sit(six, "lead", journal, limit=2)
    shuffled = comprehension(*reversed(list(six.records())))
    with pytest.raises(DataError, match="was begun with another `limit`"):
        readmark.sit(shuffled, "lead", journal, limit=3)
    assert readmark.sit(shuffled, "lead", journal).progress.before == 2


def test_a_journal_that_cannot_be_rewritten_stays_as_it_is(
    six: Test, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readmark.sit(six, "lead", journal, limit=2)
    before = journal.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("readmark.sitting.journal.shutil.copyfileobj", full)
        with pytest.raises(DataError, match=r"cannot be written \(No space left on device\)"):
            readmark.sit(six, "lead", journal, limit=4)
    assert journal.read_bytes() == before
    assert sorted(journal.parent.glob("*.growing")) == []
    assert readmark.sit(six, "lead", journal, limit=4).progress.before == 2


def test_the_command_resumes_with_a_larger_limit(
    tmp_path: Path, six: Test, readmark_cli: Run
) -> None:
    readmark.save(six, tmp_path / "t.jsonl")
    for limit, parts in (("2", "2 answered"), ("4", "2 answered, 2 before")):
        done = readmark_cli(
            "sit", "t.jsonl", "-r", "lead", "-o", "s.jsonl", "--limit", limit, cwd=tmp_path
        )
        assert (done.returncode, done.stderr) == (
            0,
            f"readmark: s.jsonl: lead sat {limit} units: {parts}\n",
        )
