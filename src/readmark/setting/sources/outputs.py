"""Where passages may be written: never onto a source, nor a part in the place of a whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.outputs import require_apart
from readmark.setting.sources.naming import name_without_kind


def require_writable(sources: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuse outputs that are sources or in them, each other, or nowhere; told before the work."""
    for output in outputs:
        if output == "-":
            raise UsageError("- is no file: name one, or /dev/stdout")
    require_apart(outputs, sources)
    for output in outputs:
        for source in sources:
            with suppress(OSError):
                inside = Path(output).resolve().is_relative_to(Path(source).resolve())
                if Path(source).is_dir() and inside and Path(output).is_file():
                    raise UsageError(f"{output} is in the folder that is being read")
        if not Path(output).resolve().parent.is_dir():
            raise DataError("cannot be written (no such folder)", file=output)


def beside(output: str) -> str:
    """Where what is not complete goes: the output, or beside one that is there already."""
    path = Path(output)
    if not path.is_file() or _is_own_output(path):
        return output
    stem = name_without_kind(path.name)
    return str(path.with_name(f"{stem}.incomplete{path.name.removeprefix(stem)}"))


def _is_own_output(path: Path) -> bool:
    with suppress(OSError):
        return any(os.path.samestat(path.stat(), os.fstat(stream)) for stream in (1, 2))
    return False
