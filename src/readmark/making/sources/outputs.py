"""Where passages are written: never onto a source, and no incomplete file over a whole one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.streams import is_standard
from readmark.core.writing import own_output
from readmark.making.sources.article_names import name_without_kind


def require_writable(sources: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuse outputs that are sources or in them, each other, or in no folder; missing sources."""
    require_distinct_files(outputs, sources)
    for output in outputs:
        if is_standard(output):
            continue
        for source in sources:
            with suppress(OSError):
                is_inside = Path(output).resolve().is_relative_to(Path(source).resolve())
                if Path(source).is_dir() and is_inside and Path(output).is_file():
                    raise UsageError(f"{output} is in the folder that is being read")
        if not Path(output).resolve().parent.is_dir():
            raise DataError("cannot be written (no such folder)", file=output)
    # Sources are opened one after another: a missing last one would be found hours later.
    for source in sources:
        if not is_standard(source) and not Path(source).exists():
            raise DataError("no such file", file=source)


def incomplete_path(output: str) -> str:
    """Where an incomplete result goes: the output, or a name next to an existing one."""
    path = Path(output)
    if not path.is_file() or own_output(path) is not None:
        return output
    stem = name_without_kind(path.name)
    return str(path.with_name(f"{stem}.incomplete{path.name.removeprefix(stem)}"))


def open_spool(output: str) -> IO[bytes]:
    """A nameless file for passages, which wait there for the header: it records how it ended.

    It is in the folder of the output, where there is room for them, if that can be written to.
    """
    folder = Path(output).resolve().parent
    is_usable = folder.is_dir() and (not Path(output).exists() or Path(output).is_file())
    with suppress(OSError):
        if is_usable:
            return tempfile.TemporaryFile(dir=folder)
    return tempfile.TemporaryFile()
