"""The command line in this process: a process costs most of a second, a call milliseconds."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest import mock

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


COPIES = """
import gc, importlib, json, os, sys
from readmark.cli.main import main
for name in sys.argv[2:]:
    importlib.import_module(name)
gc.freeze()  # copies do not look through it as they end
for line in sys.stdin:
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            path = os.path.join(sys.argv[1], name)
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        args, folder, environment = json.loads(line)
        os.chdir(folder)
        os.environ.update(environment)
        sys.argv = ["readmark", *args]
        main()
        os._exit(99)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextlib.contextmanager
def copies(
    *imports: str, env: Mapping[str, str] | None = None
) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """Runs ``readmark ARGS`` in copies of a process that has imported what takes long."""
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", COPIES, folder, *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=plain_environment() | dict(env or {}),
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        asked, statuses = process.stdin, process.stdout

        def run(
            *args: str, cwd: Path, env: Mapping[str, str] | None = None
        ) -> subprocess.CompletedProcess[str]:
            print(json.dumps([args, str(cwd), dict(env or {})]), file=asked, flush=True)
            status = int(statuses.readline())
            printed = [Path(folder, name).read_text("utf-8") for name in ("stdout", "stderr")]
            return subprocess.CompletedProcess(["readmark", *args], status, *printed)

        yield run


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
    stream.buffer.seek(0)
    return stream.buffer.read().decode("utf-8", "backslashreplace")
