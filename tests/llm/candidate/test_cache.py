"""`llm`: replies are kept, whatever ends the sitting, and never asked for twice."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from llm_endpoint import Endpoint, first_words
from llm_papers import BUNDLE, sit_paper
from readmark.comprehension.kind import COMPREHENSION
from readmark.formats.registry import open_sitting
from readmark.sitting.runner import sit

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.slow
def test_an_interrupt_keeps_every_answer(tmp_path: Path) -> None:
    test, out = BUNDLE / "reading.en.jsonl", tmp_path / "s.jsonl"
    with Endpoint(first_words, delay=0.1) as endpoint:
        command = [
            sys.executable, "-m", "readmark", "sit", str(test),
            "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o", str(out), "--parallel", "2",
        ]  # fmt: skip
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            while len(endpoint.asked) < 10:
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            assert running.stderr is not None
            said = running.stderr.read()
        assert "Traceback" not in said
        assert running.returncode == 130
        kept = len(out.read_text("utf-8").splitlines()) - 1
        assert kept >= 6
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert f"{kept} before" in done.stderr
        assert len(endpoint.asked) <= 80 + 2  # those under way at the interrupt, once more


def test_a_cache_that_is_no_cache(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    (tmp_path / "c.sqlite").write_bytes(b"not a database, just words" * 100)
    done = readmark_cli(
        "sit", str(paper), "-r", 'llm(model=m,base_url="http://127.0.0.1:9/v1")', "-o", "s.jsonl",
        "--cache", "c.sqlite", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "c.sqlite: the cache cannot be used: file is not a database" in done.stderr


def test_an_empty_file_is_no_cache(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    (tmp_path / "notes.txt").touch()
    done = readmark_cli(
        "sit", str(paper), "-r", 'llm(model=m,base_url="http://127.0.0.1:9/v1")', "-o", "s.jsonl",
        "--cache", "notes.txt", cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "notes.txt: the cache cannot be used: the file is empty" in done.stderr
    assert not (tmp_path / "notes.txt").stat().st_size


@pytest.mark.server
def test_one_address_is_one_candidate_with_or_without_a_slash(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(first_words) as endpoint:
        sit(str(paper), f'llm(model=m,base_url="{endpoint.url}/")', str(out), limit=2)
        sit(str(paper), f'llm(model=m,base_url="{endpoint.url}")', str(out), limit=2)
        out.unlink()
        sit(str(paper), f'llm(model=m,base_url="{endpoint.url}//")', str(out))
        assert len(endpoint.asked) == 3
    assert f"base_url={endpoint.url})" in open_sitting(out, COMPREHENSION).header.candidate


@pytest.mark.server
def test_the_cache_holds_json(paper: Path, tmp_path: Path) -> None:
    with Endpoint(first_words) as endpoint:
        sit_paper(paper, endpoint, tmp_path / "s.jsonl")
    with sqlite3.connect(tmp_path / "s.jsonl.cache.sqlite") as file:
        rows = file.execute("SELECT unit, request, reply FROM replies").fetchall()
    assert {unit for unit, _, _ in rows} == {"q1", "q2", "q3"}
    assert all(json.loads(reply)["content"] for _, _, reply in rows)
    assert all(json.loads(request)["model"] == "m" for _, request, _ in rows)


def test_the_cache_is_no_journal(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    done = readmark_cli(
        "sit", str(paper), "-r", 'llm(model=m,base_url="http://127.0.0.1:9/v1")', "-o", "s.jsonl",
        "--cache", "./s.jsonl", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2
    assert not (tmp_path / "s.jsonl").exists()
