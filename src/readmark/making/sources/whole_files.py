"""Files that are one article each, read whole."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.errors import DataError
from readmark.core.files import BOM, reading
from readmark.making.sources.articles import PASSED_OVER, Chunk, NotTaken

LARGEST = 16 << 20
"""Bytes of a file that is one article."""


def whole_file(file: str, shape: str) -> Iterator[Chunk]:
    """A file that is one article."""
    with reading(file) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        detail = f"one article of more than {LARGEST >> 20} MB"
        yield Chunk(PASSED_OVER, file, NotTaken("too_large", file, "", file, "", detail))
        return
    yield Chunk(shape, file, data.removeprefix(BOM), 1, len(data))


def not_decoded(chunk: Chunk, name: str, error: DataError) -> NotTaken:
    """A file of unknown encoding, which does not stop the other files."""
    return NotTaken("encoding", name, "", chunk.file, str(error.where or ""), error.message)
