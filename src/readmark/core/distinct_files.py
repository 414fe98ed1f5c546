"""What is written must not take the place of what is read, nor of another output."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from readmark.core.addresses import without_scheme
from readmark.core.errors import UsageError


def same_file(path: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to one file; a file that is not there is no other."""
    with contextlib.suppress(OSError):
        return Path(without_scheme(path)).samefile(without_scheme(other))
    return False


def require_distinct_files(
    outputs: Sequence[str | Path | None], inputs: Sequence[str | Path | None] = ()
) -> None:
    """Refuse an output that is an input, or that is named twice; None names no file."""
    named = [output for output in outputs if output is not None]
    for index, output in enumerate(named):
        if any(same_file(one, output) for one in inputs if one is not None):
            raise UsageError(f"{output} is what is being read: write to another file")
        if Path(output).absolute() in [Path(one).absolute() for one in named[:index]]:
            raise UsageError(f"{output} is to be written twice: name different files")
