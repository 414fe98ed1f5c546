"""Processes for other people's files have no network, whichever library asks for one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from network_attempts import connect_every_way, talk_in_pairs
from readmark.core.confinement import default_memory, run_confined

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no local sockets")
TESTS = str(Path(__file__).parents[1])


@pytest.fixture
def service(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A port of this machine and a socket in a folder, as databases listen on."""
    local = socket.socket(socket.AF_UNIX)
    with socket.create_server(("127.0.0.1", 0)) as port, local:
        local.bind(str(tmp_path / "database"))
        local.listen()
        yield {"port": port.getsockname()[1], "local": str(tmp_path / "database")}


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes import the tests' modules."""
    paths = (TESTS, os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.mark.usefixtures("importable")
def test_a_confined_process_opens_no_socket(service: dict[str, Any]) -> None:
    outside = connect_every_way(service)
    assert all(outside.values()), outside
    confined = run_confined(connect_every_way, service, seconds=60)
    if sys.platform != "linux":  # there Python refuses, for this process alone
        confined = {way: confined[way] for way in ("port", "name", "local")}
    assert not any(confined.values()), confined


@pytest.mark.usefixtures("importable")
def test_where_the_system_has_no_filter_python_refuses(service: dict[str, Any]) -> None:
    code = (
        "import json, sys; from network_attempts import connect_where_python_refuses as connect;"
        "json.dump(connect(json.load(sys.stdin)), sys.stdout)"
    )
    command = [sys.executable, "-c", code]
    reply = subprocess.run(command, input=json.dumps(service).encode(), stdout=-1, check=True)
    ways = json.loads(reply.stdout)
    assert ways == {"filtered": False, "port": False, "name": False, "local": False}


@pytest.mark.usefixtures("importable")
def test_pairs_of_sockets_and_files_are_left() -> None:
    assert run_confined(talk_in_pairs, {}, seconds=60) == '"""'


def test_the_configuration_limits_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """`files.memory`; without it a part of the machine's, and at most a number that fits."""
    usual = default_memory()
    assert usual >= 1 << 29
    for said, memory in (("300MB", 300 << 20), ("none", 1 << 50)):
        with monkeypatch.context() as patch:
            patch.setenv("READMARK_SET", json.dumps([f"files.memory={said}"]))
            assert default_memory() == memory
    assert default_memory() == usual
