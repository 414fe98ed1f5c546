"""Files written whole or not at all, on the disk before they have their names; locks."""

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
"""Whether a file can be renamed, replaced and removed while it is open, as Windows refuses to."""
_FAR = 0x7FFFFFFF  # upper half of an offset
_LOCK_VIOLATION = 33
_PART_NAME = 40  # so that a long name with its suffixes stays within a folder's limit


@contextlib.contextmanager
def writing(path: str | Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all: the old one stays until the new one is complete.

    ``-`` is standard output. Only its owner can read a new file that is private.
    """
    path = Path(path)
    try:
        if is_standard(path):
            with standard_output() as output:
                yield output
            return
        if path.is_dir():
            raise DataError("is a directory, expected a file to write", file=path)
        own = own_output(path)
        if own is not None:
            with os.fdopen(os.dup(own), "wb") as output:
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
    """Standard output or error, when the path is another name of it, such as /dev/stdout.

    Those are never replaced: behind them may be a file that others write to, and a link in /dev.
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
    # In a folder that others write to, nobody can put a file or a link under this name first.
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
    """Give a complete file or folder its name, so that not even a power cut leaves half of it.

    The content is on the disk before the name is. A file keeps the mode of the one it replaces.
    """
    for path in part.rglob("*") if part.is_dir() else ():
        sync(path)
    sync(part)
    if target.is_file():
        part.chmod(target.stat().st_mode & 0o7777)
    part.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Have a file's content, or a folder's names, on the disk; not every system can."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows opens no folder, and a name may be gone already
        return
    try:
        sync_open(descriptor)
    finally:
        os.close(descriptor)


def sync_open(descriptor: int) -> None:
    """The same of an open file; an error means that what was written may be lost."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EROFS, errno.EBADF):
            raise


def lock(descriptor: int) -> bool | None:
    """Keep an open file to this process until it is closed: False where another one has it.

    None where the system has no locks. Nothing but another call of this function is refused: what
    is locked on Windows, where nobody else could read it, is a byte that no file reaches.
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
