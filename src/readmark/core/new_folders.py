"""Folders written whole or not at all, and folders that one process fills piece by piece."""

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
"""Takes a name within the folder and what the file holds."""


@contextlib.contextmanager
def writing_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Write]:
    """Write a folder, or a zip when the name says so; it never mixes with what is already there."""
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
        yield lambda name, content: _put(part / name, content)


def require_new_folder(path: str | Path) -> None:
    """Refuse what a folder cannot be written to: standard output, a file, a folder with files."""
    path = Path(path)
    if is_standard(path):
        raise UsageError("- is standard output, expected a folder to write")
    if path.exists() and not path.is_dir():
        raise DataError("is a file, expected a folder to write", file=path)
    if path.is_dir() and any(path.iterdir()):
        raise DataError("is a folder that is not empty: write to a new one", file=path)


@contextlib.contextmanager
def making_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Path]:
    """A folder to fill that takes its name when it is whole; one that holds files is refused.

    Only its owner can enter a private one.
    """
    path = Path(path)
    require_new_folder(path)
    try:
        begin = f".{path.name[:40]}."
        with contextlib.suppress(OSError):
            _clear(path.absolute().parent, begin)
        part = path.with_name(f"{begin}{os.getpid()}{_PART}")
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


def _clear(parent: Path, begin: str) -> None:
    """Remove what a writing that was killed has left: nobody holds its lock any more."""
    for path in parent.iterdir():
        named = path.name.startswith(begin) and path.name.endswith(_PART)
        if named and path.name[len(begin) : -len(_PART)].isdecimal() and path.is_dir():
            with locked(path) as mine:
                if mine:
                    shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool | None]:
    """Whether a folder's lock was got, None where the system has none; it goes with the process."""
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folder
        yield None
        return
    try:
        yield lock(held)
    finally:
        os.close(held)


@contextlib.contextmanager
def claiming_folder(path: Path, doing: str) -> Iterator[None]:
    """Keep a folder that is filled piece by piece to this process; another one is refused.

    The lock decides; the note, which outlives a process that is killed, only tells whose it is.
    """
    note = path / _HOLDER
    held, claimed = path, False
    if not RENAMES_OPEN:  # nor is there a lock of folders
        held = note
        with contextlib.suppress(OSError):
            note.touch()
    try:
        with locked(held) as mine:
            if mine is False:
                raise DataError(f"{_holder(note)} is {doing} this folder", file=path)
            claimed = True
            try:
                note.write_text(str(os.getpid()), encoding="ascii")
            except OSError as error:
                why = f"cannot be written ({error.strerror or error})"
                raise DataError(why, file=path) from None
            try:
                yield
            finally:
                if RENAMES_OPEN:  # while it is locked: it may be somebody else's afterwards
                    _forget(note)
    finally:
        if claimed and not RENAMES_OPEN:
            _forget(note)


def _forget(note: Path) -> None:
    with contextlib.suppress(OSError):
        note.unlink()


def _holder(note: Path) -> str:
    """Whose a folder is, if that has been written by now."""
    try:
        said = note.read_text(encoding="ascii")
    except (OSError, ValueError):
        said = ""
    return f"process {said}" if said.isdecimal() else "another process"


def _put(path: Path, content: str | bytes) -> None:
    path.write_bytes(_bytes(content))


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
