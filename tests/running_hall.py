"""A hall behind a real server in a process of its own, which tests can kill and start again.

Run as a program it serves a folder's hall, with the stub work of the tests.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent


class RunningHall:
    """The server of a database that the tests have filled."""

    def __init__(self, url: str, folder: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self._arguments = [url, str(folder), str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        paths = (str(TESTS.parent / "src"), str(TESTS), os.environ.get("PYTHONPATH", ""))
        self._process = subprocess.Popen(
            [sys.executable, __file__, *self._arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        while True:
            assert self._process.poll() is None, "the server has ended"
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


def main(url: str, folder: str, port: str) -> None:
    import pytest
    import uvicorn

    from readmark.server.start import open_hall
    from stub_work import add_stub

    add_stub(pytest.MonkeyPatch())
    app: Any = open_hall(url, folder=Path(folder))
    uvicorn.run(app, port=int(port), log_level="warning", lifespan="off")


if __name__ == "__main__":
    main(*sys.argv[1:])
