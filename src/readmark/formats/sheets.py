"""Tables that people fill in: CSV, TSV, or JSON Lines without a header, one row per line.

Spreadsheets save them in whatever encoding and with whatever separator their country has. They also
run a cell that begins with ``=`` or the like as a formula, so every sheet is written here: a text
cell that could be a formula gets an apostrophe in front, which reading takes away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.csv_text import Cell, csv_record, is_formula
from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, read_bytes, read_lines, writing
from readmark.core.source import Source
from readmark.formats.tables.format import kind_of

if TYPE_CHECKING:
    from _csv import Reader


Row = tuple[int, dict[str, Any]]
"""A line's number, and its cells by column; those of a table are unchanged text."""

LINES = (".jsonl", ".ndjson")
_TABLES = {".csv": ",;\t", ".tsv": "\t", ".txt": "\t"}
_NAMED = (".csv", ".tsv")
"""Suffixes that nothing but a table has; "Unicode text" of a spreadsheet is called .txt."""

_HEADER = re.compile(r"""(?:[^"\n]++|"[^"]*+")*+(?=\n|\Z)""")
_QUOTED = re.compile(r'"[^"]*"')

csv.field_size_limit(2**31 - 1)  # a cell may hold a passage of any length; files are bounded


def sheet_bytes(
    name: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> Iterator[bytes]:
    """A sheet for people, piece by piece, in the format of its file's name; CSV by default.

    ``read_rows`` gives back the same texts. The byte order mark makes spreadsheets read UTF-8.
    """
    suffix = "".join(Source(name).suffixes[-1:])
    tabs = _TABLES.get(suffix) == "\t"
    yield BOM
    for cells in chain((columns,), rows):
        yield csv_record(cells, tabs=tabs, end="\r\n").encode()


def write_sheet(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a sheet for people to a file, whole or not at all."""
    with writing(path) as stream:
        for piece in sheet_bytes(path, columns, rows):
            stream.write(piece)


def is_table(source: Source) -> bool:
    """Whether a file's name says CSV or TSV."""
    return "".join(source.suffixes[-1:]) in _NAMED


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
    if suffix == ".txt" and read_bytes(path).lstrip()[:1] == b"{":
        suffix = LINES[0]
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
    delimiter = max(_TABLES[suffix], key=_bare_header(text).count)
    plain = _TABLES[suffix] == "\t" and not _is_quoted(text)
    reader = _plain(text) if plain else _quoted(text, delimiter)
    header: list[str] | None = None
    before = 0
    try:
        for cells in reader:
            place, before = before + 1, reader.line_num  # a quoted cell may hold line breaks
            if not any(cell.strip() for cell in cells):
                continue
            # As they were before ``_written`` guarded them with an apostrophe.
            cells = [c[1:] if c.startswith("'") and is_formula(c[1:]) else c for c in cells]
            if header is None:
                header = _header(cells, path, place, needed)
                continue
            if len(cells) > len(header):
                raise DataError(
                    f"has {len(cells)} cells, expected {len(header)}", file=path, where=place
                )
            if plain and len(cells) < len(header) and _opens(cells[-1]):
                raise DataError(
                    f"has {len(cells)} cells, expected {len(header)}, and a quotation mark that "
                    "is not closed: save the table as CSV",
                    file=path,
                    where=place,
                )
            cells += [""] * (len(header) - len(cells))
            yield place, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise DataError(f"is no sound table ({error})", file=path, where=before + 1) from None


def _plain(text: str) -> Reader:
    """Cells parted by tabs in which a quotation mark is one."""
    return csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)


def _quoted(text: str, delimiter: str) -> Reader:
    """Cells that may be quoted, and then hold line breaks and separators."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _bare_header(text: str) -> str:
    """The first row without what is quoted in it; unchanged where a quotation is not closed."""
    text = text.lstrip()
    match = _HEADER.match(text)
    return _QUOTED.sub("", match[0]) if match else text.partition("\n")[0]


def _opens(cell: str) -> bool:
    return cell.startswith('"') and not _closed(cell)


def _closed(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def _is_quoted(text: str) -> bool:
    """Whether cells between tabs are quoted, as spreadsheets do where one has a line break.

    Other programs write quotation marks as they stand, and so one at the beginning of a cell says
    nothing: only lines that are no rows by themselves do, or marks that are doubled.
    """
    if '"' not in text:
        return False
    if not _bare_header(text).strip("\t\r"):
        return True  # a header is quoted by programs that quote every text
    try:
        rows = [cells for cells in _quoted(text, "\t") if any(cell.strip() for cell in cells)]
        lines = [cells for cells in _plain(text) if any(cell.strip() for cell in cells)]
    except csv.Error:
        return False
    wide = len(rows[0]) if rows else 0
    whole = all(len(cells) == wide for cells in rows if any("\n" in cell for cell in cells))
    broken = any(len(cells) < wide and any(map(_opens, cells)) for cells in lines)
    doubled = any('""' in cell[1:-1] for cells in lines for cell in cells if _closed(cell))
    return whole and (broken or doubled)


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
