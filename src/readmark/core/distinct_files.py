"""Outputs of a command must not overwrite its inputs, nor each other."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from readmark.core.addresses import without_scheme
from readmark.core.errors import UsageError


def same_file(path: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to the same file, which must exist."""
    with contextlib.suppress(OSError):
        return Path(without_scheme(path)).samefile(without_scheme(other))
    return False


def require_distinct_files(
    outputs: Sequence[str | Path | None], inputs: Sequence[str | Path | None] = ()
) -> None:
    """Refuse an output that is an input, or that is named twice; None names no file."""
    seen: set[Path] = set()
    for output in outputs:
        if output is None:
            continue
        if any(same_file(path, output) for path in inputs if path is not None):
            raise UsageError(f"{output} is what is being read: write to another file")
        if Path(output).absolute() in seen:
            raise UsageError(f"{output} is to be written twice: name different files")
        seen.add(Path(output).absolute())
