"""A full disk: the answer does not blame the request, and names no path."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.exceptions import HTTPException

from readmark.core.errors import ReadmarkError

_FULL = (errno.ENOSPC, errno.EDQUOT)
MESSAGE = "The hall has no room on its disk at the moment. Please try again later."
LEAST_FREE = 1 << 20
"""Bytes below which a disk counts as full: a save would fail soon."""


class DiskFull(HTTPException):
    """An answer for a request that the disk had no room for."""

    def __init__(self) -> None:
        super().__init__(503, MESSAGE, {"retry-after": "60"})


@contextmanager
def noticing_full_disk() -> Iterator[None]:
    """Answer with `DiskFull` what goes wrong because the disk is full, not as a bad request."""
    try:
        yield
    except (ReadmarkError, OSError) as error:
        if is_disk_full(error):
            raise DiskFull from error
        raise


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error comes from a full disk, whatever it was turned into since."""
    seen: set[int] = set()  # errors can be each other's causes
    while error is not None and id(error) not in seen:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def has_room(folder: str | Path) -> bool:
    """Whether anything can still be written to a folder; one that is gone has none."""
    try:
        return shutil.disk_usage(folder).free >= LEAST_FREE
    except OSError:
        return False
