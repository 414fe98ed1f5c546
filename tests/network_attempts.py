"""Attempts to reach a service, for confined processes of the tests."""

from __future__ import annotations

import ctypes
import multiprocessing
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from readmark.core import no_network


def connect_every_way(task: Mapping[str, Any]) -> dict[str, bool]:
    """Which ways to a service are open: through Python, a library, or another process."""
    port = task["port"]
    return {
        "port": _is_open(lambda: socket.create_connection(("127.0.0.1", port), 5)),
        "name": _is_open(lambda: socket.create_connection(("localhost", port), 5)),
        "local": _is_open(lambda: socket.socket(socket.AF_UNIX).connect(task["local"])),
        "library": ctypes.CDLL(None).socket(socket.AF_INET, socket.SOCK_STREAM, 0) >= 0,
        "process": _is_open_to_process(port),
    }


def _is_open(connect: Callable[[], Any]) -> bool:
    try:
        connect()
    except OSError:
        return False
    return True


def _is_open_to_process(port: int) -> bool:
    code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
    reply = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return reply.returncode == 0


def connect_where_python_refuses(task: Mapping[str, Any]) -> dict[str, bool]:
    """The ways through Python, in a process whose system has no filter of calls."""
    no_network._filter_calls = lambda: False
    is_filtered = no_network.refuse_network()
    ways = connect_every_way(task)
    return {"filtered": is_filtered, **{way: ways[way] for way in ("port", "name", "local")}}


def talk_in_pairs(_: Mapping[str, Any]) -> str:
    """What comes through a pair of sockets, which Python's own processes talk by."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    theirs.send(Path(__file__).read_text("utf-8")[:3])
    return str(ours.recv())
