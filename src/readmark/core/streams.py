"""Standard input and output under the name ``-``, pipes and addresses in the place of files.

A file is read more than once: to detect its format, to check it, to use it. Standard input and
pipes can be read only once, so they are copied to a private temporary file when they are first
asked for. The copy is removed when the command ends. Of what is stored at an address such as
``s3://bucket/test.jsonl``, JSON Lines are streamed and other formats are copied likewise.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from readmark.core.addresses import is_remote, remote_stream
from readmark.core.errors import GIVEN_NAMES, DataError

STANDARD = "-"
VARIABLE = "READMARK_COPIES"
"""The copies by name, for processes that a command starts: they must not read the input again."""
_BLOCK = 1 << 20
_SIGNATURES = (
    (b"\x1f\x8b", ".gz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\0", ".xz"),
)
_ZIP = b"PK\x03\x04"


@dataclass
class _Streams:
    """The copies of one command, and the standard output that it has reserved."""

    copies: dict[tuple[int, int] | str, Path] = field(default_factory=dict)
    folder: Path | None = None
    owner: int = field(default_factory=os.getpid)
    output: IO[bytes] | None = None

    def remove(self) -> None:
        """Delete the copies; a process that was forked leaves them to the one that made them."""
        if self.folder is not None and self.owner == os.getpid():
            import shutil

            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder = None
        for copy in self.copies.values():
            GIVEN_NAMES.pop(str(copy), None)
        self.copies.clear()


_streams = _Streams()
atexit.register(lambda: _streams.remove())


def is_standard(path: object) -> bool:
    """Whether a path is ``-``: standard input where it is read, standard output where written."""
    return isinstance(path, (str, os.PathLike)) and os.fspath(path) == STANDARD


def is_pipe(path: str | Path) -> bool:
    """Whether a path names a pipe, as /dev/fd/63 of a process substitution does."""
    try:
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


def shown_name(path: str | Path) -> str:
    """The name of a file without its folder; ``stdin`` for standard input."""
    return "stdin" if is_standard(path) else Path(path).name


def readable_file(path: str | Path) -> Path:
    """The file to read for a path: itself, or the copy of standard input or of a pipe."""
    inherited = _inherited().get(os.fspath(path)) if VARIABLE in os.environ else None
    if inherited is not None:
        return Path(inherited)
    if is_standard(path) or is_remote(path):
        key: tuple[int, int] | str = os.fspath(path)
    elif is_pipe(path):
        status = Path(path).stat()
        key = status.st_dev, status.st_ino
    else:
        return Path(path)
    if key not in _streams.copies:
        _streams.copies[key] = copy = _copied(path)
        GIVEN_NAMES[str(copy)] = str(path)
        os.environ[VARIABLE] = json.dumps({**_inherited(), str(path): str(copy)})
    return _streams.copies[key]


def _inherited() -> dict[str, str]:
    """The copies that this process or the one that started it has made, by name."""
    copies: dict[str, str] = json.loads(os.environ.get(VARIABLE) or "{}")
    return copies


def _copied(path: str | Path) -> Path:
    """A private copy; if its name has no suffix, with that of its compression."""
    import shutil
    import tempfile

    try:
        if _streams.folder is None:
            _streams.folder = Path(tempfile.mkdtemp(prefix="readmark-"))
            _streams.owner = os.getpid()
        place = _streams.folder / str(len(_streams.copies))
        place.mkdir()
        name = f"{'pipe' * Path(path).name.isdecimal()}{shown_name(path)}"
        copy = place / name
        with _opened(path) as stream, copy.open("wb") as target:
            shutil.copyfileobj(stream, target, _BLOCK)
        suffix = "" if copy.suffix else _packed_as(copy)
        return copy.rename(copy.with_name(name + suffix)) if suffix else copy
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None


@contextlib.contextmanager
def _opened(path: str | Path) -> Iterator[IO[bytes]]:
    if is_remote(path):
        with remote_stream(str(path)) as (stream, _):
            yield stream
    elif not is_standard(path):
        with Path(path).open("rb") as stream:
            yield stream
    elif sys.stdin is None:
        raise DataError("standard input is closed", file=path)
    else:
        yield sys.stdin.buffer


def _packed_as(file: Path) -> str:
    """The suffix of the compression or archive that a file begins like, if any."""
    with file.open("rb") as stream:
        head = stream.read(6)
    if head.startswith(_ZIP):
        import zipfile

        with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(file) as packed:
            return ".xlsx" if "xl/workbook.xml" in packed.namelist() else ".zip"
    return next((suffix for start, suffix in _SIGNATURES if head.startswith(start)), "")


@contextlib.contextmanager
def standard_output() -> Iterator[IO[bytes]]:
    """The stream that ``-`` is written to."""
    sys.stdout.flush()
    stream = _streams.output or sys.stdout.buffer
    yield stream
    stream.flush()


def reserve_output() -> None:
    """Keep standard output for what is written to ``-``; everything else goes to standard error."""
    if _streams.output is not None:
        return
    sys.stdout.flush()
    output = sys.stdout
    try:
        is_own = output.fileno() == 1
    except OSError:
        is_own = False
    if is_own:
        _streams.output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    else:
        _streams.output = output.buffer
    sys.stdout = sys.stderr


def discard_output() -> bool:
    """Drop what is still to be written to ``-``; False if nothing was to go there."""
    if _streams.output is None:
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _streams.output.fileno())
    os.close(nowhere)
    return True


@contextlib.contextmanager
def command_streams() -> Iterator[None]:
    """The standard streams of one command: its copies are removed, and its output is restored."""
    global _streams
    before, _streams = _streams, _Streams()
    inherited = os.environ.pop(VARIABLE, None)  # of a command that started this one
    stdout = sys.stdout
    try:
        yield
    finally:
        _streams.remove()
        os.environ.pop(VARIABLE, None)
        if inherited is not None:
            os.environ[VARIABLE] = inherited
        if _streams.output is not None:
            sys.stdout = stdout
            if _streams.output is not stdout.buffer:
                with _streams.output as output:
                    os.dup2(output.fileno(), 1)
        _streams = before
