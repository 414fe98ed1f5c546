"""`llm` against real llama.cpp servers, with a model that the test makes.

`llama-server` is looked for on the path, `llama_cpp.server` (llama-cpp-python) in the Python of
READMARK_LLAMA_PYTHON or in this one.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import readmark
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.traffic import Traffic
from readmark.formats.registry import open_sitting
from tiny_gguf import CONTEXT, write_tiny_model

PYTHON = os.environ.get("READMARK_LLAMA_PYTHON", sys.executable)


def _has_llama_cpp_python() -> bool:
    look = "import importlib.util as u; raise SystemExit(not all(map(u.find_spec, ['llama_cpp', "
    done = subprocess.run([PYTHON, "-c", look + "'uvicorn'])))"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture(params=["llama-server", "llama_cpp.server"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A running server's name and address."""
    model = tmp_path / "tiny.gguf"
    write_tiny_model(model)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    context = str(CONTEXT)
    if request.param == "llama-server":
        program = shutil.which("llama-server")
        if program is None:
            pytest.skip("llama-server is not installed")
        command = [program, "-m", str(model), "--host", "127.0.0.1", "--port", port, "-c", context]
        command += ["--parallel", "1"]
    else:
        if not _has_llama_cpp_python():
            pytest.skip("llama-cpp-python[server] is not installed")
        command = [PYTHON, "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", context]
        command += ["--host", "127.0.0.1", "--port", port]
    log = tmp_path / "server.log"
    with log.open("wb") as stream:
        running = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{port}/v1"
        _wait_for(f"{address}/models", running, log)
        yield request.param, address
    finally:
        running.terminate()
        running.wait(30)


def _wait_for(address: str, running: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if running.poll() is not None:
            pytest.fail(f"the server ended: {log.read_text('utf-8', 'replace')[-2000:]}")
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the server did not begin: {log.read_text('utf-8', 'replace')[-2000:]}")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_real_server_is_sat_without_an_error(
    server: tuple[str, str], paper: Path, tmp_path: Path
) -> None:
    """The words of a random model mean nothing; that each question gets a row does."""
    name, address = server
    lines: list[str] = []
    done = readmark.sit(
        str(paper),
        f'llm(model=tiny,base_url="{address}",max_tokens=24)',
        tmp_path / "s.jsonl",
        traffic=Traffic(parallel=1, timeout=60, attempts=2),
        tell=lines.append,
    )
    assert (done.progress.answered, done.errors) == (3, 0)
    header = open_sitting(tmp_path / "s.jsonl", COMPREHENSION).header
    shape = header.fields["endpoint"].get("shape", "schema")
    assert shape == ("json" if name == "llama_cpp.server" else "schema")
    assert done.spent.input > 100
    assert any("tiny takes" in line for line in lines)
    sat = open_sitting(tmp_path / "s.jsonl", COMPREHENSION)
    for id in sat:
        [row] = sat.of(id)
        assert row.evidence["prompt"].startswith("[system]\n")
        assert row.evidence["reply"]
