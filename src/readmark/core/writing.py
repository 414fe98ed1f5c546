"""Writing files whole or not at all, also in a power cut; and locking them."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from readmark.core.compression import BUFFER, packed
from readmark.core.errors import DataError
from readmark.core.streams import (
    is_standard,
    standard_output,
)

RENAMES_OPEN = os.name != "nt"
"""Whether a file can be renamed, replaced and removed while it is open; Windows refuses that."""
_FAR = 0x7FFFFFFF  # upper half of an offset that no file reaches
_LOCK_VIOLATION = 33
_PART_NAME = 40
"""Characters of the name that its temporary file has: with suffixes it must fit into 255 bytes."""


@contextlib.contextmanager
def writing(path: str | Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all: the old one stays until the new one is complete.

    ``-`` is standard output. Only the owner can read a private file.
    """
    path = Path(path)
    try:
        if is_standard(path):
            with standard_output() as output:
                yield output
            return
        if path.is_dir():
            raise DataError("is a directory, expected a file to write", file=path)
        descriptor = own_output(path)
        if descriptor is not None:
            with os.fdopen(os.dup(descriptor), "wb") as output:
                yield output
        elif path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
        else:
            with _replacing(path, is_private) as stream:
                yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def own_output(path: Path) -> int | None:
    """The descriptor of standard output or error, if the path is a name of it, as /dev/stdout is.

    These are never replaced: the name may be a link in /dev, and others may write to the file.
    """
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(stream)):
                return stream
    return None


@contextlib.contextmanager
def _replacing(path: Path, is_private: bool) -> Iterator[IO[bytes]]:
    """A new file next to the old one, which it replaces at the end; a link stays a link."""
    target = Path(os.path.realpath(path))
    # A name that nobody can guess: in a shared folder, others could put a link there first.
    unique = f"{os.getpid()}.{os.urandom(6).hex()}"
    part = target.with_name(f".{target.name[:_PART_NAME]}.{unique}.part")
    mode = 0o600 if is_private else 0o666
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with (
            os.fdopen(descriptor, "wb", buffering=BUFFER) as raw,
            packed(path, raw) as stream,
        ):
            yield stream
        put_in_place(part, target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def put_in_place(part: Path, target: Path) -> None:
    """Give a complete file or folder its name; not even a power cut leaves half of it.

    The content is on the disk before the name is. A file gets the mode of the one that it replaces.
    """
    for path in part.rglob("*") if part.is_dir() else ():
        sync(path)
    sync(part)
    if target.is_file():
        part.chmod(target.stat().st_mode & 0o7777)
    part.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Force a file's content, or a folder's names, to the disk; not every system can."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows opens no folder, and a name may be gone already
        return
    try:
        sync_open(descriptor)
    finally:
        os.close(descriptor)


def sync_open(descriptor: int) -> None:
    """Force an open file's content to the disk; an error means that it may be lost."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EROFS, errno.EBADF):
            raise


def lock(descriptor: int) -> bool | None:
    """Lock an open file until it is closed: False if another process has locked it.

    None if the system has no locks. Only other calls of this function are refused: on Windows,
    where nobody else could read what is locked, that is a byte that no file reaches.
    """
    if sys.platform == "win32":
        import ctypes
        import msvcrt
        from ctypes import wintypes

        lock_file = ctypes.WinDLL("kernel32", use_last_error=True).LockFile
        lock_file.argtypes = (wintypes.HANDLE, *[wintypes.DWORD] * 4)
        if lock_file(msvcrt.get_osfhandle(descriptor), 0, _FAR, 1, 0):
            return True
        return False if ctypes.get_last_error() == _LOCK_VIOLATION else None
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True
