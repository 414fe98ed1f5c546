"""TOML with the line of each key, which the standard library's parser leaves out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError

LARGEST = 1 << 20
"""Bytes of a file: people write these by hand."""
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class TomlDocument:
    """The values of a file, and the line of each key by its path."""

    values: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]


def read_toml(file: Path, name: str) -> TomlDocument:
    """A file's values with their lines; an error names the file by ``name``."""
    try:
        if file.stat().st_size > LARGEST:
            raise DataError(f"is larger than {LARGEST >> 20} MB", file=name)
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=name) from None
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 (byte {error.start})", file=name) from None
    text = text.replace("\r\n", "\n")
    lines: dict[tuple[str, ...], int] = {}
    try:
        for path, line in _places(text):
            if path in lines:
                raise DataError(
                    f"{'.'.join(path)}: is there twice, first in line {lines[path]}",
                    file=name,
                    where=line,
                )
            lines[path] = line
        return TomlDocument(tomllib.loads(text), lines)
    except tomllib.TOMLDecodeError as error:
        match = _PLACE.search(str(error))
        where = match[1] if match is not None and match[1] else text.count("\n") + 1
        words = _PLACE.sub("", str(error))
        raise DataError(f"is not TOML: {words}", file=name, where=where) from None
    except RecursionError:
        raise DataError("is not TOML that can be read: nested too deep", file=name) from None


def _places(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """The paths of headers and keys with their lines.

    Each statement is parsed alone, from its first line on until it is complete. One that is never
    complete ends the search; parsing the document then says what is wrong.
    """
    prefix: tuple[str, ...] = ()
    statement, first = "", 1
    for number, line in enumerate(text.split("\n"), start=1):
        if not statement:
            first = number
        statement += line + "\n"
        try:
            values = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        if statement.lstrip().startswith("["):
            prefix = _header(values)
            yield prefix, first
        elif values:  # neither a comment nor an empty line
            for path in _paths(values):
                yield (*prefix, *path), first
        statement = ""


def _header(values: Any) -> tuple[str, ...]:
    """The path of [a.b] or [[a.b]]."""
    path: tuple[str, ...] = ()
    while isinstance(values, dict) and values:
        [(name, values)] = values.items()
        path = (*path, name)
    return path


def _paths(values: Any) -> Iterator[tuple[str, ...]]:
    """The paths of the leaves of nested tables; an empty table is a leaf."""
    if not isinstance(values, dict) or not values:
        yield ()
        return
    for name, value in values.items():
        for rest in _paths(value):
            yield (name, *rest)
