"""Whether files are still those that were read before: a test is read several times over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from readmark.core.addresses import is_remote, without_scheme
from readmark.core.errors import DataError
from readmark.core.streams import is_standard

FileState = tuple[int, int, int, int]
"""Device, number, size and time of change."""


def file_states(files: Iterable[str]) -> dict[str, FileState]:
    """What files are known by; pipes, folders and addresses are left out."""
    found = {}
    for file in files:
        if not is_standard(file) and not is_remote(file) and (state := _state(file)) is not None:
            found[file] = state
    return found


def require_unchanged(states: Mapping[str, FileState], *files: str) -> None:
    """Refuse a file that is not the one that was read before; all of them where none is named."""
    for file in files or states:
        if file in states and _state(file) != states[file]:
            raise DataError(
                "was replaced or changed after it was first read here; start again with one "
                "version of it",
                file=file,
            )


def _state(file: str) -> FileState | None:
    path = Path(without_scheme(file))
    try:
        if not path.is_file():
            return None
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
