"""Signals that end a process: half-written files go with it, and nohup is respected."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")

WRITER = """
import signal, sys, time
if sys.argv[1] == "nohup":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
from readmark.core.writing import writing
from readmark.core.ending import Terminated, end_on_signals, ending_status
end_on_signals()
try:
    with writing("out.txt") as stream:
        stream.write(b"half")
        stream.flush()
        print("ready", flush=True)
        sys.stdin.readline()
except Terminated:
    sys.exit(ending_status())
"""


def start(folder: Path, how: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, how],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (getattr(signal, "SIGHUP", None), 129)]
)
def test_half_written_files_are_removed(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    process = start(tmp_path, "terminal")
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == status
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_that_is_closed_does_not_end_what_runs_under_nohup(tmp_path: Path) -> None:
    process = start(tmp_path, "nohup")
    process.send_signal(signal.SIGHUP)
    process.communicate("go on\n", timeout=60)
    assert process.returncode == 0
    assert (tmp_path / "out.txt").read_bytes() == b"half"
