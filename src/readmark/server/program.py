"""The program that serves: loaded as a whole at the start, since an upgrade replaces its files.

What is loaded goes on. Calls with a process of their own start with the new files; if one fails
then, or anything else does, the answer is that the hall is about to be restarted.
"""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from readmark import server
from readmark.core.errors import ReadmarkError
from readmark.core.kinds import KINDS
from readmark.formats.registry import FORMATS
from readmark.marking.metrics import METRICS
from readmark.server.works.work import ADJUDICATIONS, WORKS

FOLDER = Path(__file__).resolve().parents[1]
UPGRADED = "The hall has been updated and is about to be restarted. Please try again in a minute."

_stamps: dict[Path, tuple[int, int, int]] = {}
"""The program's files as they were at the start."""


class Upgraded(ReadmarkError):
    """A call that failed after the program's files were replaced."""

    status = 503

    def __init__(self) -> None:
        super().__init__(UPGRADED)


def load_program() -> None:
    """Import what requests need, so that none of them mixes two versions."""
    remember_files()
    for module in pkgutil.walk_packages(server.__path__, f"{server.__name__}."):
        if ".migrations" not in module.name:  # run by Alembic, before the hall is opened
            import_module(module.name)
    import_module("readmark.bundle")  # its tests are read by its name
    for registry in (WORKS, ADJUDICATIONS, KINDS, FORMATS, METRICS):
        for name in registry:
            with suppress(ReadmarkError, ImportError):  # who asks for it is told what is missing
                registry.load(name)


def remember_files() -> None:
    """Keep what the program's files are like, once."""
    if not _stamps:
        _stamps.update((file, _stamp(file)) for file in FOLDER.rglob("*.py"))


def is_replaced() -> bool:
    """Whether a file of the program is another one than at the start."""
    try:
        return any(_stamp(file) != stamp for file, stamp in _stamps.items())
    except OSError:
        return True


def _stamp(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size
