"""Several files that belong together: all of them take their names, or none does."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from readmark.core.errors import DataError
from readmark.core.streams import is_standard
from readmark.core.writing import own_output, put_in_place

_NAME = 40
"""Characters of a long name that its temporary file has: the last ones, with the suffixes."""


@contextlib.contextmanager
def writing_together(paths: Sequence[str | Path]) -> Iterator[list[Path]]:
    """Where to write files (or new folders) that are put in their places when all are complete.

    A place that cannot be written to is reported before anything is written. A device is its own
    place.
    """
    targets = [Path(path) for path in paths]
    parts: list[Path] = []
    try:
        for index, target in enumerate(targets):
            parts.append(_place(target, index))
        yield parts
        for part, target in zip(parts, targets, strict=True):
            if part != target:
                _put_all(part, target)
    except DataError as error:
        for part, target in zip(parts, targets, strict=False):
            if str(error.file) == str(part):  # a name that the user has never seen
                raise DataError(error.message, file=target, where=error.where) from None
        raise
    finally:
        for part, target in zip(parts, targets, strict=False):
            if part != target:
                _remove(part)


def _place(path: Path, index: int) -> Path:
    """A name next to the file's that can be written to; standard output is its own place."""
    if is_standard(path):
        return path
    if path.is_dir():
        raise DataError("is a directory, expected a file to write", file=path)
    if path.exists() and (not path.is_file() or own_output(path) is not None):
        return path
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{os.getpid()}.{index}.{target.name[-_NAME:]}")
    try:
        part.touch()
        part.unlink()  # a folder may be written there as well
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None
    return part


def _put_all(part: Path, path: Path) -> None:
    target = Path(os.path.realpath(path))
    try:
        put_in_place(part, target)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _remove(part: Path) -> None:
    with contextlib.suppress(OSError):
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)
