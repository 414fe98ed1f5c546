"""Whether files are still the ones that were read first: a test is read several times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from readmark.core.addresses import is_remote, without_scheme
from readmark.core.errors import DataError
from readmark.core.streams import is_standard

FileState = tuple[int, int, int, int]
"""Device, inode, size and time of change."""


def file_states(files: Iterable[str]) -> dict[str, FileState]:
    """The state of each file; pipes, folders and addresses are left out."""
    states = {}
    for file in files:
        if not is_standard(file) and not is_remote(file) and (state := _state(file)) is not None:
            states[file] = state
    return states


def require_unchanged(states: Mapping[str, FileState], *files: str) -> None:
    """Refuse a file that was replaced or changed; without ``files``, any of them."""
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
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
