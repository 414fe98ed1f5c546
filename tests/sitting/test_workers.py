"""Worker processes: the same rows as one process, and no harm when one of them dies."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import standing, timeless
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.problems import ReportProblem
from readmark.core.test import Header, Placed, Test
from readmark.marking.settings import MarkSettings
from readmark.sitting import pipes, workers
from readmark.sitting.requests import Ask


def test_an_idle_worker_is_taken_where_a_new_one_would_wait_for_room() -> None:
    """A cluster that lost a node is full until then."""
    end = time.monotonic() + 5

    def wait_for_room(is_needed: Callable[[], bool]) -> None:
        while is_needed():
            time.sleep(0.01)

    pool, idle = workers.Pool(wait_for_room), SimpleNamespace()
    threading.Timer(0.1, pool.waiting.append, [idle]).start()
    assert pool.take(lambda: time.monotonic() < end) is idle


pytestmark = pytest.mark.slow

Sit = Callable[..., Any]
FEW = MarkSettings(draws=20, trials=20)
SIX = [f"q{number}" for number in range(1, 7)]


def notes(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process is gone, or is within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    "candidate",
    [
        "lead",
        "longest_overlap",
        'moody(on="q2 q4")',
        'moody(on="q2 q4",how=close)',
        "moody(on=q2,how=cancel)",
        "moody(on=q2,how=fork)",
        "clumsy(on=q3,how=object)",
        "clumsy(on=q3,how=big)",
        "clumsy(on=q3,how=nan)",
        "batcher(size=1)",
    ],
)
def test_several_workers_give_the_rows_of_one(six: Test, tmp_path: Path, candidate: str) -> None:
    sittings = {}
    for count in (1, 2, 4):
        journal = tmp_path / f"{count}.jsonl"
        done = readmark.sit(six, candidate, journal, workers=count)
        sittings[count] = standing(journal)[0], timeless(journal), done.errors, done.unanswered
    assert sittings[1] == sittings[2] == sittings[4]
    assert [row["id"] for row in sittings[2][1]] == SIX


@pytest.mark.parametrize(
    ("candidate", "limit"),
    [
        ("lead", None),
        ("moody(on=q2,how=fork)", None),
        ("clumsy(on=q3,how=big)", None),
        ('hostile(on="q2:sleep q5:segfault")', 0.7),
    ],
)
def test_threads_at_the_pipes_give_the_same_rows(
    six: Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, candidate: str, limit: float | None
) -> None:
    """What Windows needs, which cannot wait for several pipes at once."""
    sittings = []
    for name, selects in (("selected", True), ("threaded", False)):
        monkeypatch.setattr(pipes, "SELECTS_PIPES", selects)
        journal = tmp_path / f"{name}.jsonl"
        done = readmark.sit(six, candidate, journal, workers=2, unit_timeout=limit)
        sittings.append((timeless(journal), done.errors, done.unanswered))
    assert sittings[0] == sittings[1]
    assert [row["id"] for row in sittings[1][0]] == SIX


def test_repeats_and_limit_with_workers(six: Test, tmp_path: Path) -> None:
    sittings = []
    for count in (1, 2):
        journal = tmp_path / f"{count}.jsonl"
        readmark.sit(six, "slow(ms=0)", journal, workers=count, repeats=2, limit=4)
        sittings.append(timeless(journal))
    assert sittings[0] == sittings[1]
    assert len(sittings[0]) == 8


@pytest.mark.parametrize(
    ("failing", "count", "limit", "error"),
    [
        ("", 2, None, None),
        (",on=begin", 2, None, None),
        (",on=q4", 1, 60.0, "the worker process died (signal 9)"),
        (",on=q4,how=hang", 1, 0.7, "no answer within 0.7 s"),
    ],
)
def test_a_worker_loads_its_candidate_once_for_all_repeats(
    six: Test,
    tmp_path: Path,
    journal: Path,
    failing: str,
    count: int,
    limit: float | None,
    error: str | None,
) -> None:
    expected, loads = tmp_path / "expected.jsonl", tmp_path / "loads"
    readmark.sit(six, f'repeater(file="{tmp_path / "one"}")', expected, repeats=3)
    how: dict[str, Any] = {"repeats": 3, "workers": count, "unit_timeout": limit}
    done = readmark.sit(six, f'repeater(file="{loads}"{failing})', journal, **how)
    parent, *pids = map(int, loads.read_text("utf-8").split())
    assert parent == os.getpid()  # for the header
    assert len(set(pids)) == len(pids)
    # One may be so fast that another is not needed.
    assert 1 + bool(error) <= len(pids) <= count + bool(failing)
    assert all(gone(pid) for pid in pids)
    failed = [{"id": "q4", "error": error, "repeat": 1}] if error else []
    assert [row for row in timeless(journal) if "error" in row] == failed
    assert done.progress.answered == 18 - len(failed)
    if failed:
        readmark.sit(six, f'repeater(file="{loads}"{failing})', journal, **how)
    rows = [row for row in timeless(journal) if "error" not in row]
    assert [row | {"attempt": 1} for row in rows] == [
        row | {"attempt": 1} for row in timeless(expected)
    ]


def test_two_workers_resume_what_one_process_began(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    readmark.sit(six, "slow(ms=0)", journal)
    marks = readmark.mark(six, journal, settings=FEW).as_json()
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:4]) + lines[5][:9])
    done = readmark.sit(six, "slow(ms=0)", journal, workers=2)
    assert (done.progress.before, done.progress.answered) == (3, 3)
    assert done.repaired is not None
    assert readmark.mark(six, journal, settings=FEW).as_json() == marks


def test_only_the_parent_has_the_journal_open(six: Test, tmp_path: Path, journal: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    readmark.sit(six, f'recorder(file="{seen}",ms=30)', journal, workers=2)
    units = notes(seen)
    assert sorted(note["id"] for note in units) == SIX
    pids = {note["pid"] for note in units}
    assert len(pids) == 2
    assert os.getpid() not in pids
    for note in units:
        assert str(journal) not in note["open"]
        assert note["group"] != os.getpgrp()  # a terminal's Ctrl-C is the parent's to handle
    assert all(gone(pid) for pid in pids)
    # With one, it is this process that asks and journals.
    alone = tmp_path / "alone.jsonl"
    readmark.sit(six, f'recorder(file="{alone}")', tmp_path / "alone.sitting")
    assert {note["pid"] for note in notes(alone)} == {os.getpid()}


@pytest.mark.parametrize(
    ("how", "reason"),
    [("end", "status 0"), ("end7", "status 7"), ("kill", "signal 9")],
)
def test_a_worker_that_dies_fails_the_unit_in_hand_alone(
    six: Test, journal: Path, tmp_path: Path, how: str, reason: str
) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q2 q6",how={how},until="{cure}")'
    for attempt in (1, 2):
        done = readmark.sit(six, candidate, journal, workers=2)
        assert (done.errors, done.unanswered) == (2, 0)
        last = {row["id"]: row for row in timeless(journal)}
        assert sorted(last) == SIX
        for id, row in last.items():
            if id in ("q2", "q6"):
                assert row["error"] == f"the worker process died ({reason})"
                assert row.get("attempt", 1) == attempt
            else:
                assert row["text"] == f"{id}!"
    cure.touch()
    done = readmark.sit(six, candidate, journal, workers=2)
    assert (done.progress.answered, done.errors) == (2, 0)
    assert not readmark.mark(six, journal, settings=FEW).coverage.errors


def test_an_interrupt_that_the_candidate_raises_is_a_row(
    six: Test, journal: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = readmark.sit(six, 'moody(on="q2 q6",how=interrupt)', journal, workers=2)
    assert (done.errors, done.progress.answered) == (2, 4)
    errors = {row["id"]: row["error"] for row in timeless(journal) if "error" in row}
    assert errors == {"q2": "KeyboardInterrupt:", "q6": "KeyboardInterrupt:"}
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("waiting", [1, 3])
def test_rows_wait_when_they_are_journalled_slowly(
    journal: Path, waiting: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "ROWS_WAITING", waiting)
    test = comprehension(*(passage(f"p{number}", asked(f"q{number}", "x")) for number in range(40)))
    done = readmark.sit(test, "wordy(length=9000)", journal, workers=2)
    assert (done.progress.answered, done.unanswered) == (40, 0)

    def interrupt(_: object) -> None:
        time.sleep(0.5)  # the others are waiting for room now
        raise KeyboardInterrupt

    cut = journal.with_name("cut.jsonl")
    with pytest.raises(KeyboardInterrupt):
        readmark.sit(test, "wordy(length=9000)", cut, workers=2, watch=interrupt)
    end = time.monotonic() + 10
    while time.monotonic() < end and attending():
        time.sleep(0.02)
    assert attending() == []


def attending() -> list[str]:
    """The threads that serve workers."""
    return [thread.name for thread in threading.enumerate() if "_attend" in thread.name]


def test_a_worker_that_answers_an_unknown_unit_is_stopped() -> None:
    load = workers.Workload(sent={"q1": Ask(None, ("q1",))})
    for wrong in (lambda: load.take("q9"), lambda: load.answer("q1")):
        with pytest.raises(ReadmarkError, match=r"which it was not asked or had already answered"):
            wrong()
    load.take("q1")
    load.answer("q1")
    for twice in (lambda: load.take("q1"), lambda: load.answer("q1")):
        with pytest.raises(
            ReadmarkError, match=r"'q1', which it was not asked or had already answered"
        ):
            twice()


@pytest.mark.parametrize(("how", "lost"), [("memory", ["q3", "q4"]), ("kill", ["q4"])])
def test_a_worker_that_dies_in_a_batch_fails_one_unit(
    journal: Path, how: str, lost: list[str]
) -> None:
    """An exception loses what the candidate holds; after a death each unit is asked alone."""
    test = comprehension(passage("p", *(asked(f"q{number}", "x") for number in range(8))))
    done = readmark.sit(test, f"batcher(size=3,on=q4,how={how})", journal, workers=2)
    # q3, q4 and q5 are a batch, which is answered backwards
    errors = sorted(row["id"] for row in standing(journal)[1] if "error" in row)
    assert errors == lost
    assert (done.errors, done.progress.answered) == (len(lost), 8 - len(lost))


def test_workers_that_only_die_end_the_sitting(six: Test, journal: Path) -> None:
    candidate = f'moody(on="{" ".join(SIX)}",how=kill)'
    with pytest.raises(ReadmarkError, match="worker processes die one after another"):
        readmark.sit(six, candidate, journal, workers=2)
    rows = standing(journal)[1]
    assert 3 <= len(rows) <= 6
    assert all(row["error"] == "the worker process died (signal 9)" for row in rows)


@pytest.mark.parametrize("how", ["print", "read"])
def test_what_a_candidate_prints_or_reads_is_no_message(
    six: Test, journal: Path, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    done = readmark.sit(six, f'moody(on="q1 q4",how={how})', journal, workers=2)
    assert (done.progress.answered, done.errors) == (6, 0)
    output = capfd.readouterr()
    assert output.out == ""
    assert ("Loading the model..." in output.err) == (how == "print")
    assert ("from C" in output.err) == (how == "print")


def test_a_candidate_that_stops_early_is_not_started_again(six: Test, journal: Path) -> None:
    done = readmark.sit(six, "wilful(how=stops)", journal, workers=2, repeats=2)
    assert 4 <= done.progress.answered <= 8
    assert done.progress.answered + done.unanswered == 12
    assert done.errors == 0


def test_an_unknown_candidate_is_reported_before_anything_is_started(
    sit: Sit, journal: Path
) -> None:
    with pytest.raises(ReadmarkError, match=r"unknown candidate 'slwo'; did you mean slow\?"):
        sit("slwo", workers=2)
    assert not journal.exists()


def test_an_interrupt_leaves_no_worker(six: Test, journal: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    candidate = f'recorder(file="{seen}",ms=50)'
    with pytest.raises(KeyboardInterrupt):
        readmark.sit(six, candidate, journal, workers=2, watch=interrupt)
    assert len(standing(journal)[1]) == 1
    pids = {note["pid"] for note in notes(seen)}
    assert all(gone(pid) for pid in pids)
    assert readmark.sit(six, candidate, journal, workers=2).progress.before == 1


def test_a_test_that_cannot_be_read_any_more_ends_the_sitting(six: Test, journal: Path) -> None:
    records = list(six.records())
    readings = []

    def stream(_: ReportProblem) -> Iterator[Placed]:
        readings.append(1)
        for index, record in enumerate(records):
            if index == 2 and len(readings) > 1:
                raise DataError("cannot be read (Stale file handle)", file="t.jsonl")
            yield record.id, record

    test = Test(Header(name="stale"), stream)
    with pytest.raises(DataError, match=r"t.jsonl: cannot be read \(Stale file handle\)"):
        readmark.sit(test, "slow(ms=0)", journal, workers=2)
    assert standing(journal)[0]["paper"] == test.facts.paper
