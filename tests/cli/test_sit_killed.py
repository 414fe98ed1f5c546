"""``readmark sit`` in processes of its own: killed, interrupted, out of space, and gone on."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import readmark
from examination import UNITS, Run, marked
from misbehaving_candidates import python_path, standing, timeless

pytestmark = pytest.mark.slow

Start = Callable[..., subprocess.Popen[str]]

PATIENCE = 60.0
"""Seconds that something may take before the test gives up; none waits so long."""


@pytest.fixture
def start(hall: Path) -> Iterator[Start]:
    """Starts a sitting in a session of its own, as a terminal would; it never outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*args: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "readmark", "sit", *args],
            cwd=hall,
            env=os.environ | python_path(hall.parent / "plugged"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(found: Callable[[], Any], process: subprocess.Popen[str]) -> None:
    """Wait for something to be so while a process runs."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    pytest.fail("it took too long")


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    told = [one.read_text() for one in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(one) for text in told for one in text.split()]


def wait_gone(pids: set[int]) -> set[int]:
    """The processes that still run after a bounded wait."""
    end = time.monotonic() + 10
    while time.monotonic() < end and any(map(alive, pids)):
        time.sleep(0.02)
    return {pid for pid in pids if alive(pid)}


def pids_in(path: Path) -> set[int]:
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return {json.loads(line)["pid"] for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_at_random_times_it_gives_the_same_marks(
    sits: Run, start: Start, hall: Path, workers: int
) -> None:
    candidate = "slow(ms=20)"  # slow enough for a busy machine to kill it in time
    sits("sit", "t.jsonl", "-r", candidate, "-o", "straight.jsonl")
    journal = hall / "killed.jsonl"
    chance = random.Random(workers)
    args = ("t.jsonl", "-r", candidate, "-o", "killed.jsonl", "--workers", str(workers))
    for _ in range(4):
        process = start(*args)
        goal = lines_of(journal) + chance.randint(1, 8)
        wait_until(lambda goal=goal: lines_of(journal) >= goal, process)
        time.sleep(chance.random() / 200)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert lines_of(journal) < UNITS + 1
    sits("sit", *args)
    assert timeless(journal) == timeless(hall / "straight.jsonl")
    assert marked(sits, "killed.jsonl") == marked(sits, "straight.jsonl")


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_leaves_a_whole_journal(sits: Run, start: Start, hall: Path, workers: int) -> None:
    journal = hall / "s.jsonl"
    seen = hall / "seen.jsonl"
    candidate = "recorder(file=seen.jsonl,ms=10)"
    args = ("t.jsonl", "-r", candidate, "-o", "s.jsonl", "--workers", str(workers))
    process = start(*args)
    wait_until(lambda: lines_of(journal) > 5, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal interrupts everything in the foreground
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, "", "readmark: interrupted")
    assert 5 <= len(standing(journal)[1]) < UNITS
    assert not wait_gone(pids_in(seen))
    done = sits("sit", *args)
    assert re.search(r"sat 60 units: \d+ answered, \d+ before", done.stderr)
    assert len(timeless(journal)) == UNITS


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("candidate", ["slow(ms=50)", 'moody(on="q4 q10",how=hang)'])
def test_a_termination_leaves_a_whole_journal(
    sits: Run, start: Start, hall: Path, candidate: str, workers: int
) -> None:
    journal = hall / "s.jsonl"
    args = ("t.jsonl", "-r", candidate, "-o", "s.jsonl", "--workers", str(workers))
    process = start(*args)
    wait_until(lambda: lines_of(journal) >= 5, process)
    running = set(children(process.pid))
    process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (143, "", "readmark: terminated\n")
    rows = standing(journal)[1]
    assert 4 <= len(rows) < UNITS
    assert not [row for row in rows if "error" in row]
    assert not wait_gone(running)
    if candidate.startswith("slow"):
        assert re.search(r"sat 60 units: \d+ answered, \d+ before\n", sits("sit", *args).stderr)


@pytest.mark.slow
def test_a_candidate_that_swallows_everything_is_ended_all_the_same(
    start: Start, hall: Path
) -> None:
    process = start("t.jsonl", "-r", "moody(on=q4,how=swallow)", "-o", "s.jsonl")
    wait_until(lambda: lines_of(hall / "s.jsonl") == 5, process)
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert len(standing(hall / "s.jsonl")[1]) == 4


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("how", ["thread", "fork"])
def test_what_a_candidate_leaves_running_is_not_waited_for(
    start: Start, hall: Path, how: str, workers: str
) -> None:
    args = ("small.jsonl", "-r", f"moody(on=q1,how={how})", "-o", "s.jsonl", "--workers", workers)
    process = start(*args)
    _, err = process.communicate(timeout=PATIENCE)
    said = f"readmark: s.jsonl: moody(on=q1,how={how}) sat 6 units: 6 answered\n"
    assert (process.returncode, err) == (0, said)
    assert [row["id"] for row in timeless(hall / "s.jsonl")] == [f"q{at}" for at in range(6)]


def test_files_of_the_current_folder_pass_for_no_module(hall: Path) -> None:
    for name in ("queue.py", "msgspec.py", "readmark/__init__.py"):
        (hall / name).parent.mkdir(exist_ok=True)
        (hall / name).write_text("raise ImportError('not this one')")
    found = Path(readmark.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": str(found)}
    args = ["-P", "-m", "readmark", "sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl"]
    command = [sys.executable, *args, "--workers", "2"]
    done = subprocess.run(command, cwd=hall, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        0,
        "readmark: s.jsonl: lead sat 6 units: 6 answered\n",
    )


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see the workers")
def test_ctrl_c_while_workers_begin(start: Start, hall: Path) -> None:
    process = start("t.jsonl", "-r", "slow", "-o", "s.jsonl", "--workers", "2")
    wait_until(lambda: children(process.pid), process)
    time.sleep(0.05)  # they are still importing
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err.strip()) == (130, "readmark: interrupted")


@pytest.mark.slow
def test_workers_do_not_outlive_a_killed_parent(start: Start, hall: Path) -> None:
    seen = hall / "seen.jsonl"
    # A minute a unit: they are in the middle of one when the parent goes.
    process = start(
        "t.jsonl",
        "-r",
        "recorder(file=seen.jsonl,ms=60000)",
        "-o",
        "s.jsonl",
        "--workers",
        "2",
    )
    wait_until(lambda: len(pids_in(seen)) == 2, process)
    pids = pids_in(seen)
    assert all(map(alive, pids))
    process.kill()
    process.wait()
    assert wait_gone(pids) == set()


def test_long_records_and_long_answers_do_not_block_each_other(start: Start, hall: Path) -> None:
    """The parent sends while the worker sends: neither may wait for the other."""
    header = {"readmark": 1, "kind": "comprehension", "name": "long"}
    passages = [
        {
            "id": f"p{at}",
            "text": "word " * 60_000,
            "questions": [{"id": f"p{at}q{one}", "text": "?"} for one in range(12)],
        }
        for at in range(5)
    ]
    lines = [json.dumps(one) + "\n" for one in [header, *passages]]
    (hall / "long.jsonl").write_text("".join(lines))
    args = ("long.jsonl", "-r", "wordy(length=30000)", "-o", "s.jsonl", "--workers", "2")
    _, err = start(*args).communicate(timeout=PATIENCE)
    assert "sat 60 units: 60 answered" in err


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """A small file system in memory, where one may be mounted."""
    folder.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small file system needs root")
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_disk_loses_nothing(sits: Run, hall: Path, workers: str) -> None:
    args = ("sit", "t.jsonl", "-r", "wordy(length=1000)", "--workers", workers)
    sits(*args, "-o", "straight.jsonl")
    with mounted(hall / "disk", "size=16k"):
        done = sits(*args, "-o", "disk/s.jsonl", status=1)
        assert re.fullmatch(
            r"readmark: disk/s.jsonl: the answer to 'q\d+' cannot be written "
            r"\(No space left on device\); earlier answers are kept\n",
            done.stderr,
        )
        journal = hall / "disk" / "s.jsonl"
        stands = standing(journal)[1]
        assert 10 <= len(stands) <= 16
        told = json.loads(marked(sits, "disk/s.jsonl"))
        assert told["answered"] == len(stands)
        assert sits(*args, "-o", "disk/s.jsonl", status=1).stderr.count("\n") == 1
        remount = ["mount", "-o", "remount,size=1m", str(hall / "disk")]
        subprocess.run(remount, check=True)
        done = sits(*args, "-o", "disk/s.jsonl")
        assert f"{60 - len(stands)} answered, {len(stands)} before" in done.stderr
        # The candidate's name is in the marks, and so is nothing of where they were kept.
        assert marked(sits, "disk/s.jsonl") == marked(sits, "straight.jsonl")


def test_a_disk_without_room_for_a_header(sits: Run, hall: Path) -> None:
    with mounted(hall / "disk", "size=4k"):
        (hall / "disk" / "full").write_bytes(bytes(4096))
        done = sits("sit", "t.jsonl", "-r", "lead", "-o", "disk/s.jsonl", status=1)
        said = "readmark: disk/s.jsonl: cannot be written (No space left on device)\n"
        assert done.stderr == said
        (hall / "disk" / "full").unlink()
        sits("sit", "small.jsonl", "-r", "lead", "-o", "disk/s.jsonl")


def test_a_read_only_folder(sits: Run, hall: Path) -> None:
    with mounted(hall / "disk", "size=64k"):
        sits("sit", "small.jsonl", "-r", "lead", "--limit", "2", "-o", "disk/old.jsonl")
        subprocess.run(["mount", "-o", "remount,ro", str(hall / "disk")], check=True)
        for name in ("s.jsonl", "old.jsonl"):
            done = sits("sit", "small.jsonl", "-r", "lead", "-o", f"disk/{name}", status=1)
            said = f"readmark: disk/{name}: cannot be written (Read-only file system)\n"
            assert done.stderr == said
        assert json.loads(marked(sits, "disk/old.jsonl", "small.jsonl"))["answered"] == 2
