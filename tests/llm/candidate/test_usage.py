"""`llm` misused: one line through the real command line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from llm_papers import configure

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("llm(model=m)", "which endpoint?"),
        ('llm(base_url="http://127.0.0.1:9/v1")', "which model?"),
        ('llm(model=m,base_url="ftp://x")', "is not an http or https address"),
        ('llm(model=m,base_url="https://me:pw@x.example/v1")', "must hold no user"),
        ('llm(model=m,base_url="https://me:pw@x.example:port/v1")', "is not an address"),
        ('llm(model=m,base_url="https://x.example/v1",key=NO_SUCH)', "variable NO_SUCH"),
        ('llm(model=m,base_url="https://x.example/v1",key="sk-pw-1")', "never the key itself"),
        ('llm(model=m,base_url="http://127.0.0.1:9/v1",prompt=spann)', "no prompt 'spann'"),
        ('llm(model=m,base_url="http://127.0.0.1:9/v1",shots=2)', "shots_from=FILE"),
    ],
)
def test_bad_usage_is_one_line(
    paper: Path, tmp_path: Path, readmark_cli: Run, name: str, words: str
) -> None:
    done = readmark_cli("sit", str(paper), "-r", name, "-o", "s.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert words in done.stderr
    assert "pw" not in done.stderr


def test_a_server_that_is_not_there_is_told_of(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    configure(tmp_path, "http://127.0.0.1:9/v1", "attempts = 1")
    done = readmark_cli("sit", str(paper), "-r", "m", "-o", "s.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "http://127.0.0.1:9/v1 does not answer: the connection failed" in done.stderr
    assert not (tmp_path / "s.jsonl").exists()


def test_traffic_is_for_those_who_ask(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    done = readmark_cli(
        "sit", str(paper), "-r", "lead", "-o", "s.jsonl", "--parallel", "3", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "lead makes no network requests" in done.stderr
    name = 'llm(model=m,base_url="http://127.0.0.1:9/v1")'
    done = readmark_cli(
        "sit", str(paper), "-r", name, "-o", "s.jsonl", "--workers", "2", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "use --parallel, not --workers" in done.stderr
