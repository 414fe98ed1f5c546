"""Whether the program's files were replaced: an upgrade does so while an exam hall is running.

The hall goes on with the files that it has loaded, but processes that it starts load the new ones.
If something fails then, the answer is that the hall is about to be restarted.
"""

from __future__ import annotations

from pathlib import Path

from readmark.core.errors import ReadmarkError

FOLDER = Path(__file__).resolve().parents[1]
UPGRADED = "The hall has been updated and is about to be restarted. Please try again in a minute."

_stamps: dict[Path, tuple[int, int, int]] = {}
"""The state of each of the program's files at the start."""


class Upgraded(ReadmarkError):
    """A call that failed after the program's files were replaced."""

    status = 503

    def __init__(self) -> None:
        super().__init__(UPGRADED)


def remember_files() -> None:
    """Note the state of the program's files, once."""
    if not _stamps:
        _stamps.update((file, _stamp(file)) for file in FOLDER.rglob("*.py"))


def is_replaced() -> bool:
    """Whether a file of the program has changed since the start."""
    try:
        return any(_stamp(file) != stamp for file, stamp in _stamps.items())
    except OSError:
        return True


def _stamp(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size
