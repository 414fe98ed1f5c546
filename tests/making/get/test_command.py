"""``readmark get`` through the real command line: told, interrupted, and misused."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data_server import DataServer, serve, tag
from small_store import COMMIT, DATA, HASH, hub_paths, left

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_command(readmark_process: Run, tmp_path: Path) -> None:
    with DataServer(hub_paths()) as server:
        env = {"READMARK_MIRROR": server.url}
        done = readmark_process("get", "hf:kilns/dev", "-o", "k.json", cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        assert "licence: cc-by-sa-4.0" in done.stderr
        assert HASH in done.stderr
        again = readmark_process(
            "get", "hf:kilns/dev", "-o", "k.json", "--json", cwd=tmp_path, env=env
        )
        document = json.loads(again.stdout)
        assert (document["new"], document["sha256"], document["revision"]) == (False, HASH, COMMIT)
        absent = readmark_process("get", "squad1-dev", cwd=tmp_path, env=env)
        assert absent.returncode == 1
        assert "no such file" in absent.stderr.splitlines()[-1]
    assert left(tmp_path) == ["k.json", "k.json.source.json"]


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_what_was_interrupted_is_gone_on_with(
    readmark_process: Run, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    waiting, done = threading.Event(), threading.Event()

    def act(handler: Any) -> None:
        if handler.headers.get("Range"):
            serve(handler, DATA)
            return
        handler.send_response(200)
        handler.send_header("ETag", tag(DATA))
        handler.send_header("Content-Length", str(len(DATA)))
        handler.end_headers()
        handler.wfile.write(DATA[:100])
        handler.wfile.flush()
        waiting.set()
        done.wait(60)

    paths = hub_paths() | {"/store/blob": act}
    with DataServer(paths) as server:
        env = {**os.environ, "READMARK_MIRROR": server.url}
        args = [sys.executable, "-m", "readmark", "get", "hf:kilns/dev", "-o", "k.json"]
        begun = subprocess.Popen(
            args, cwd=tmp_path, env=env, stderr=subprocess.PIPE, encoding="utf-8"
        )
        assert waiting.wait(60)
        part = tmp_path / ".k.json.part"
        while not part.exists() or part.stat().st_size < 100:
            time.sleep(0.01)
        begun.send_signal(how)
        _, errors = begun.communicate(timeout=60)
        done.set()
        assert begun.returncode == status
        assert ("readmark: interrupted" in errors) is (how == signal.SIGINT)
        assert not (tmp_path / "k.json").exists()
        again = readmark_process(
            "get",
            "hf:kilns/dev",
            "-o",
            "k.json",
            cwd=tmp_path,
            env={"READMARK_MIRROR": server.url},
        )
    assert again.returncode == 0, again.stderr
    assert server.ranges()[-1] == "bytes=100-"
    assert (tmp_path / "k.json").read_bytes() == DATA
    assert left(tmp_path) == ["k.json", "k.json.source.json"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["-o", "k.json"], "-o needs the NAME of a test"),
        (["--sha256", HASH], "--sha256 needs the NAME of a test"),
        (["squad1-deev"], "did you mean squad1-dev?"),
        (["squad1-dev", "--sha256", "abc"], "64 hexadecimal digits"),
        (["c3-d-dev"], "--accept-licence"),
    ],
)
def test_bad_usage(readmark_process: Run, tmp_path: Path, args: list[str], words: str) -> None:
    done = readmark_process("get", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert left(tmp_path) == []


def test_the_list(readmark_process: Run) -> None:
    done = readmark_process("get")
    assert "squad2-dev" in done.stdout
    assert json.loads(readmark_process("get", "--json").stdout)["tests"][0]["licence"]
