"""New folders: written whole or not at all, or filled piece by piece by one process."""

from __future__ import annotations

import contextlib
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from readmark.core.errors import DataError, UsageError
from readmark.core.streams import is_standard
from readmark.core.writing import RENAMES_OPEN, lock, put_in_place, writing

_PART = ".part"
_HOLDER = ".process"
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes
Write = Callable[[str, str | bytes], None]
"""Takes the name of a file within the folder, and its content."""


@contextlib.contextmanager
def writing_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Write]:
    """Write a folder, or a zip if the name ends so; it never mixes with existing files."""
    path = Path(path)
    if path.suffix.lower() == ".zip":
        with (
            writing(path, is_private=is_private) as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed,
        ):
            yield lambda name, content: packed.writestr(
                zipfile.ZipInfo(name, _ZIP_TIME), _bytes(content), zipfile.ZIP_DEFLATED
            )
        return
    with making_folder(path, is_private=is_private) as part:

        def write(name: str, content: str | bytes) -> None:
            (part / name).write_bytes(_bytes(content))

        yield write


def require_new_folder(path: str | Path) -> None:
    """Refuse a path that cannot become a folder: standard output, a file, a folder with files."""
    path = Path(path)
    if is_standard(path):
        raise UsageError("- is standard output, expected a folder to write")
    if path.exists() and not path.is_dir():
        raise DataError("is a file, expected a folder to write", file=path)
    if path.is_dir() and any(path.iterdir()):
        raise DataError("is a folder that is not empty: write to a new one", file=path)


@contextlib.contextmanager
def making_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Path]:
    """A folder to fill, which gets its name when it is complete.

    If there is a folder with files under that name, it is refused. Only the owner can enter a
    private one.
    """
    path = Path(path)
    require_new_folder(path)
    try:
        prefix = f".{path.name[:40]}."
        with contextlib.suppress(OSError):
            _clear(path.absolute().parent, prefix)
        part = path.with_name(f"{prefix}{os.getpid()}{_PART}")
        part.mkdir(0o700 if is_private else 0o777)
        try:
            with locked(part):
                yield part
            if path.is_dir():
                path.rmdir()
            put_in_place(part, path)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _clear(parent: Path, prefix: str) -> None:
    """Remove what a killed process has left: nobody has its lock any more."""
    for path in parent.iterdir():
        is_part = path.name.startswith(prefix) and path.name.endswith(_PART)
        if is_part and path.name[len(prefix) : -len(_PART)].isdecimal() and path.is_dir():
            with locked(path) as has_lock:
                if has_lock:
                    shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool | None]:
    """Try to lock a folder: whether that worked, or None if the system has no such locks.

    The lock is gone with the block, or with the process.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folder
        yield None
        return
    try:
        yield lock(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def claiming_folder(path: Path, doing: str) -> Iterator[None]:
    """Reserve a folder that is filled piece by piece for this process; another one is refused.

    The lock decides. The note outlives a process that is killed: it only names whose folder it is.
    """
    note = path / _HOLDER
    lockable, is_claimed = path, False
    if not RENAMES_OPEN:  # such systems have no locks of folders either
        lockable = note
        with contextlib.suppress(OSError):
            note.touch()
    try:
        with locked(lockable) as has_lock:
            if has_lock is False:
                raise DataError(f"{_holder(note)} is {doing} this folder", file=path)
            is_claimed = True
            try:
                note.write_text(str(os.getpid()), encoding="ascii")
            except OSError as error:
                why = f"cannot be written ({error.strerror or error})"
                raise DataError(why, file=path) from None
            try:
                yield
            finally:
                if RENAMES_OPEN:  # while it is locked: afterwards it may be another process's
                    _remove(note)
    finally:
        if is_claimed and not RENAMES_OPEN:  # an open file cannot be removed there
            _remove(note)


def _remove(note: Path) -> None:
    with contextlib.suppress(OSError):
        note.unlink()


def _holder(note: Path) -> str:
    """The process that has a folder, as far as its note says."""
    try:
        pid = note.read_text(encoding="ascii")
    except (OSError, ValueError):
        pid = ""
    return f"process {pid}" if pid.isdecimal() else "another process"


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
