"""The command line in this process: a process costs most of a second, a call milliseconds."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from readmark.builtin import entries, groups

UNWANTED = {"PYTHONIOENCODING", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"}
"""What would change the encoding or colour of what is printed."""


def plain_environment() -> dict[str, str]:
    """The caller's environment, less what would change the width, encoding or colour."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return kept | {"COLUMNS": "80"}


def in_process(
    *args: str | os.PathLike[str],
    stdin: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    merged: bool = False,
) -> subprocess.CompletedProcess[str]:
    """``readmark ARGS``: what it printed, and its exit status.

    With ``merged``, standard output has what a terminal or a pipe gets of both streams.
    """
    from readmark.cli.main import run

    given = [os.fspath(arg) for arg in args]
    environment = plain_environment() | dict(env or {})
    source = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with (
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(sys, "argv", ["readmark", *given]),
        mock.patch.object(sys, "stdin", source),
        contextlib.chdir(cwd or Path.cwd()),
        captured(merged=merged) as (stdout, stderr),
    ):
        try:
            status = run(given)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
        stdout.flush()
        stderr.flush()
        return subprocess.CompletedProcess(
            ["readmark", *given], status, text_of(stdout), "" if merged else text_of(stderr)
        )


BUILTINS = sorted(
    {one.target.partition(":")[0] for group in groups() for one in entries(group).values()}
)
"""The modules of what Readmark has itself."""

COPIES = """
import contextlib, gc, importlib, json, os, socket, sys
from readmark.cli.main import main
for name in sys.argv[1:]:
    importlib.import_module(name)
gc.freeze()  # copies do not look through it as they end
asked = socket.socket(fileno=os.dup(0))
while True:
    connection, _ = asked.accept()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    if os.fork():
        connection.close()
        continue
    message, streams, *_ = socket.recv_fds(connection, 1 << 16, 3)
    while not message.endswith(b"\\n"):
        message += connection.recv(1 << 16)
    child = os.fork()
    if not child:
        asked.close()
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        args, folder, environment = json.loads(message)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["readmark", *args]
        main()
        os._exit(99)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    connection.sendall(str(status).encode())
    os._exit(0)
"""
"""Takes commands with their streams from a socket, and runs each in a copy of the process."""

ASK = """
import json, os, socket
def ask(address, args, folder, environment, streams):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        message = json.dumps([args, folder, environment]).encode() + b"\\n"
        sent = socket.send_fds(connection, [message], streams)
        connection.sendall(message[sent:])
        return int(connection.recv(16))
"""
"""Asks for a command and waits for its status, in a test or in a process that a shell starts."""

SHELL = """#!{python} -IS
{ask}
import sys
status = ask({address!r}, sys.argv[1:], os.getcwd(), dict(os.environ), (0, 1, 2))
os._exit(status if status >= 0 else 128 - status)
"""


@dataclass(frozen=True)
class Copies:
    """Runs ``readmark ARGS`` in copies of a process; ``folder`` has the command for shells."""

    folder: Path
    started: Mapping[str, str]
    ask: Callable[..., int]

    def __call__(
        self, *args: str, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        with (
            Path(os.devnull).open("rb") as nothing,
            tempfile.TemporaryFile("w+", encoding="utf-8") as out,
            tempfile.TemporaryFile("w+", encoding="utf-8") as err,
        ):
            streams = [one.fileno() for one in (nothing, out, err)]
            address, environment = str(self.folder / "asked"), {**self.started, **(env or {})}
            status = self.ask(address, args, str(cwd), environment, streams)
            printed = [one.seek(0) or one.read() for one in (out, err)]
        return subprocess.CompletedProcess(["readmark", *args], status, *printed)


@contextlib.contextmanager
def copies(*imports: str, env: Mapping[str, str] | None = None) -> Iterator[Copies]:
    """Runs ``readmark ARGS`` in copies of a process that has imported what takes long."""
    started = plain_environment() | dict(env or {})
    known: dict[str, Any] = {}
    exec(ASK, known)
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as asked:
        address = str(Path(folder, "asked"))
        asked.bind(address)
        asked.listen()
        command = Path(folder, "readmark")
        command.write_text(SHELL.format(python=sys.executable, ask=ASK, address=address), "utf-8")
        command.chmod(0o755)
        with subprocess.Popen(  # not with our output, which may be a file: its copies have pipes
            [sys.executable, "-c", COPIES, *imports], stdin=asked, stdout=asked, env=started
        ) as process:
            asked.close()  # nobody waits for a process that is gone
            try:
                yield Copies(Path(folder), started, known["ask"])
            finally:
                process.terminate()


@contextlib.contextmanager
def captured(*, merged: bool = False) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard output and error as files, since commands ask for descriptors; one for both."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if merged:
            os.dup2(out.fileno(), err.fileno())
        streams = [
            io.TextIOWrapper(  # as Python's own: lines of errors do not wait
                stream,  # type: ignore[arg-type]
                "utf-8",
                "backslashreplace",
                newline="\n",
                line_buffering=stream is err,
            )
            for stream in (out, err)
        ]
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            yield streams[0], streams[1]
        for stream in streams:
            stream.detach()


def text_of(stream: io.TextIOWrapper) -> str:
    stream.flush()
    if stat.S_ISCHR(os.fstat(stream.fileno()).st_mode):
        return ""  # an error of the system: the command has put /dev/null in the file's place
    stream.buffer.seek(0)
    return stream.buffer.read().decode("utf-8", "backslashreplace")
