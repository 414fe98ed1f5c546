"""A Ray cluster of real nodes on this machine, reached on loopback only and with a token."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

START = (
    *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats"),
    "--node-ip-address=127.0.0.1",
    "--object-store-memory=80000000",
)
PATIENCE = 120.0
TOKEN = {
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""Ray reads it once, when it is imported."""
os.environ.update(TOKEN)
QUICK = {"RAY_health_check_period_ms": "500", "RAY_health_check_timeout_ms": "2000"}
"""A node that is gone is noticed within some seconds, and not within half a minute."""


class Nodes:
    """The nodes of a cluster, each a session of processes."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self.killed: list[int] = []
        """The sessions of nodes that are gone."""
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"

    def __enter__(self) -> Nodes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for name in reversed(list(self._started)):
            self.kill(name)

    def start(self, *, cpus: int = 1, gpus: int = 0, **nodes: Mapping[str, str]) -> None:
        """Start nodes, the head first, each with an environment, and wait until they are there."""
        host, _, port = self.address.partition(":")
        for name, env in nodes.items():
            role = [f"--address={self.address}"]
            if not self._started:
                role = ["--head", f"--port={port}", "--include-dashboard=false"]
            with self._log(name).open("wb") as stream:
                self._started[name] = subprocess.Popen(
                    [*START, f"--num-cpus={cpus}", f"--num-gpus={gpus}", *role],
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    env={
                        **os.environ,
                        **QUICK,
                        **env,
                        "READMARK_NODE": name,
                    },
                    start_new_session=True,
                )
            self._wait(name, lambda _: _answers(host, int(port)))
        for name in nodes:
            self._wait(name, lambda log: b"Ray runtime started" in log.read_bytes())

    def _log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def _wait(self, name: str, is_there: Callable[[Path], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_there(self._log(name)):
            if self._started[name].poll() is not None or time.monotonic() > end:
                said = self._log(name).read_text("utf-8", "replace")
                raise RuntimeError(f"no Ray node: {said[-2000:]}")
            time.sleep(0.05)

    def kill(self, name: str) -> None:
        """End a node as a power cut would: every process of it, candidates included."""
        process = self._started.pop(name)
        for number in (signal.SIGSTOP, signal.SIGKILL):  # none sees another one go
            for pid in in_session(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        process.wait()
        self.killed.append(process.pid)

    def left(self) -> dict[int, str]:
        """What is left of the nodes that were killed."""
        return {pid: name for leader in self.killed for pid, name in lasting(leader).items()}


def in_session(leader: int) -> dict[int, str]:
    """The processes of a session and their names; an environment, Ray's processes overwrite."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name, _, rest = (folder / "stat").read_text("utf-8", "replace").rpartition(")")
            state, _, _, session, *_ = rest.split()
            if int(session) == leader and state not in "ZX":
                found[int(folder.name)] = name.partition("(")[2]
    return found


def lasting(leader: int, seconds: float = 20.0) -> dict[int, str]:
    """The processes of a session that do not end within some seconds."""
    end = time.monotonic() + seconds
    while in_session(leader) and time.monotonic() < end:
        time.sleep(0.1)
    return in_session(leader)


def _answers(host: str, port: int) -> bool:
    """Whether something listens there."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False
