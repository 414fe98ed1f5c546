"""Outputs of a command must not overwrite its inputs, nor each other."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from readmark.core.addresses import is_remote, without_scheme
from readmark.core.errors import UsageError
from readmark.core.streams import STANDARD


def same_file(path: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to the same file, which must exist."""
    with contextlib.suppress(OSError):
        return Path(without_scheme(path)).samefile(without_scheme(other))
    return False


def require_distinct_files(
    outputs: Sequence[str | Path | None], inputs: Sequence[str | Path | None] = ()
) -> None:
    """Refuse an output that is an input, or that is named twice; None names no file."""
    earlier: list[str | Path] = []
    for output in outputs:
        if output is None:
            continue
        if any(_same_target(path, output) for path in inputs if path is not None):
            raise UsageError(f"{output} is what is being read: write to another file")
        if any(str(path) == str(output) or _same_target(path, output) for path in earlier):
            raise UsageError(f"{output} is to be written twice: name different files")
        earlier.append(output)


def _same_target(path: str | Path, other: str | Path) -> bool:
    """Whether writing to one path would change the other, whether the files exist yet or not.

    Addresses of other machines are the same file if they are written alike: only their stores know
    more. Standard input and output are two.
    """
    if STANDARD in (str(path), str(other)):
        return False
    if is_remote(path) or is_remote(other):
        return str(path).rstrip("/") == str(other).rstrip("/")
    return same_file(path, other) or _resolved(path) == _resolved(other)


def _resolved(path: str | Path) -> Path:
    """The path without links and dots."""
    local = Path(without_scheme(path))
    try:
        return local.resolve()
    except (OSError, RuntimeError):  # a loop of links, which is refused where it is opened
        return local.absolute()
