"""Folders of parts, which are read as one file: the same header, and one part after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from readmark.core.errors import DataError
from readmark.core.json_lines import read_header
from readmark.core.sitting import SittingHeader
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Header

H = TypeVar("H", Header, SittingHeader)


def part_names(source: Source) -> list[str]:
    """The files to read: the parts of a folder in their order, or the one file."""
    return [part.file for part in source.parts] or [source.file]


def shared_header(files: Sequence[str], struct: type[H], *may_differ: str) -> H:
    """The header of all files, which may differ only in the members that are named."""
    first = read_header(files[0], struct)
    for file in files[1:]:
        header = read_header(file, struct)
        for name in struct.__struct_fields__:
            value, expected = getattr(header, name), getattr(first, name)
            if value != expected and name not in may_differ:
                raise DataError(
                    f"its header has another {name} ({clip(str(value))}) than that of {files[0]} "
                    f"({clip(str(expected))})",
                    file=file,
                    where=1,
                )
    return first
