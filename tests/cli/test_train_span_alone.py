"""Two trainings into one folder: the second is refused, and a killed one leaves it free."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from installed import require
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test

pytestmark = [pytest.mark.torch, pytest.mark.slow]
require("torch", "transformers", "tokenizers", "fcntl")

NO_EXPORT = ("--set", "train.span.export=false")
PATIENCE = 120.0
"""Seconds that something may take before the test gives up; none waits so long."""


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A test and an encoder to train with."""
    from span_encoder import write_encoder

    text = "The owner is anna. The barn is red."
    key = QuestionKey(answers=(Answer(text="anna"),))
    asked = (Question(id="q", text="Who is the owner?", key=key),)
    record = Passage(id="p", text=text, questions=asked)
    save_test(in_memory(Header(name="t", language="en"), [record]), tmp_path / "t.jsonl")
    write_encoder(tmp_path / "encoder")
    return tmp_path


def command(*more: str) -> list[str]:
    args = ["t.jsonl", "--encoder", "encoder", "-o", "out", "--length", "48", "--device", "cpu"]
    return [sys.executable, "-m", "readmark", *NO_EXPORT, "train", "span", *args, *more]


@pytest.fixture
def long(hall: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A training that has no end, well under way."""
    with (hall / "told.txt").open("wb") as told:
        process = subprocess.Popen(
            command("--epochs", "1000000", "--resume"), cwd=hall, stdout=told, stderr=told
        )
    try:
        wait_until(lambda: epochs(hall) > 2, process)
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until(found: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found():
            return
        assert process.poll() is None
        time.sleep(0.05)
    pytest.fail("it took too long")


def epochs(hall: Path) -> int:
    return (hall / "told.txt").read_bytes().count(b"\nepoch ")


def second(hall: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("--epochs", "1", *more),
        cwd=hall,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("more", [(), ("--resume",)])
def test_the_second_is_refused_and_the_first_goes_on(
    hall: Path, long: subprocess.Popen[bytes], more: tuple[str, ...]
) -> None:
    held = sorted(path.name for path in (hall / "out").iterdir() if path.suffix != ".part")
    done = second(hall, *more)
    line = f"readmark: out: process {long.pid} is training into this folder\n"
    assert (done.stderr, done.returncode, done.stdout) == (line, 1, "")
    before = epochs(hall)
    wait_until(lambda: epochs(hall) > before, long)
    assert (hall / "out" / ".process").read_text() == str(long.pid)
    assert set(held) <= {path.name for path in (hall / "out").iterdir()}


def test_a_killed_one_leaves_the_folder_free(hall: Path, long: subprocess.Popen[bytes]) -> None:
    os.kill(long.pid, signal.SIGKILL)
    long.wait()
    assert (hall / "out" / ".process").is_file()
    done = second(hall)
    assert done.returncode == 0, done.stderr
    assert not (hall / "out" / ".process").exists()
    assert (hall / "out" / "heads.safetensors").is_file()
