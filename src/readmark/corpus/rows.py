"""Tables that people fill in: CSV, TSV, or JSON Lines without a header, a row a line.

Spreadsheets save them in whatever encoding and with whatever separator their country has.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.decoding import decoded
from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS, json_fault, read_bytes, read_lines
from readmark.corpus.formats.flat.recognition import kind_of
from readmark.corpus.source import Source

Row = tuple[int, dict[str, Any]]
"""A line's number, and its cells by column; those of a table are text as it stands."""

LINES = (".jsonl", ".ndjson")
_TABLES = {".csv": ",;\t", ".tsv": "\t"}


def is_table(source: Source) -> bool:
    """Whether a file's name says CSV or TSV."""
    return "".join(source.suffixes[-1:]) in _TABLES


def is_rows(source: Source, *needed: str) -> bool:
    """Whether a file is such a table by its name and, of JSON Lines, by what its first row has.

    A test in flat JSON Lines is none.
    """
    if is_table(source):
        return True
    first = source.first_line
    return (
        "".join(source.suffixes[-1:]) in LINES
        and kind_of(source) is None
        and isinstance(first, dict)
        and "readmark" not in first
        and set(needed) <= set(first)
    )


def read_rows(path: str | Path, needed: Sequence[str] = ("id",)) -> Iterator[Row]:
    """The rows of a table; one that lacks a needed column is placed."""
    suffix = "".join(Source(path).suffixes[-1:])
    return _cells(path, suffix, needed) if suffix in _TABLES else _objects(path, needed)


def _objects(path: str | Path, needed: Sequence[str]) -> Iterator[Row]:
    for place, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=path, where=place) from None
        if not isinstance(row, dict) or not set(needed) <= set(row):
            raise DataError(f"expected an object with {_listed(needed)}", file=path, where=place)
        yield place, row


def _cells(path: str | Path, suffix: str, needed: Sequence[str]) -> Iterator[Row]:
    text = decoded(read_bytes(path), str(path))
    first = text.lstrip().partition("\n")[0]
    delimiter = max(_TABLES[suffix], key=first.count)
    lines = io.StringIO(text, newline="")
    if suffix == ".tsv":  # a quotation mark is one; only CSV has quoted cells
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] | None = None
    before = 0
    try:
        for cells in reader:
            place, before = before + 1, reader.line_num  # a quoted cell may hold line breaks
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, path, place, needed)
                continue
            if len(cells) > len(header):
                raise DataError(
                    f"has {len(cells)} cells, expected {len(header)}", file=path, where=place
                )
            cells += [""] * (len(header) - len(cells))
            yield place, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise DataError(f"is no sound table ({error})", file=path, where=before + 1) from None


def _header(cells: list[str], path: str | Path, place: int, needed: Sequence[str]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    missing = [name for name in needed if name not in names]
    if missing:
        raise DataError(
            f"has no column {missing[0]!r}; found: {', '.join(names)}", file=path, where=place
        )
    named = [name for name in names if name]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise DataError(f"two columns are called {twice!r}", file=path, where=place)
    return names


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
