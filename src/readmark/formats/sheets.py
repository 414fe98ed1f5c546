"""Tables that people fill in: CSV, TSV, XLSX, or JSON Lines without a header, one row per line.

Spreadsheets run a cell that begins with ``=`` or the like as a formula, so every sheet is written
here: a text cell that could be a formula gets an apostrophe in front, which reading takes away
again. In a workbook texts are texts, and only one that reads as if it had such an apostrophe gets
another.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.counts import counted
from readmark.core.csv_text import SheetCell, TableRow, csv_record, unguarded
from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, read_bytes, read_head, read_lines
from readmark.core.source import Source, suffixes_of
from readmark.core.writing import writing
from readmark.formats.delimited import ANY_SEPARATOR, SEPARATORS, delimited_rows
from readmark.formats.tables.flat import recognised_in
from readmark.formats.tables.headings import HEADINGS, folded
from readmark.formats.tables.shards import LINES
from readmark.formats.workbook_writing import SheetContent, workbook_bytes
from readmark.formats.workbooks import OTHER_SUFFIXES, SUFFIXES, open_workbook

SheetRow = tuple[int, dict[str, Any]]
"""A line's number, and its cells by column; those of a table are unchanged text."""

_TABLE_SUFFIXES = (".csv", ".tsv", *SUFFIXES)
"""Suffixes that nothing but a table has; a .txt may be anything."""
_HEADINGS = frozenset(folded(name) for names in HEADINGS.values() for name in names)
_LONGEST_HEADING = 40
"""Characters of a column's name by which a file without a suffix is known as a table."""
_HEADER_ROWS = 30
"""Rows among which the one with the columns' names is sought: titles and notes may be above it."""


def sheet_bytes(
    name: str | Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[SheetCell]],
    *,
    notes: Sequence[str] = (),
) -> Iterator[bytes]:
    """A sheet for people, piece by piece, in the format of its file's name; CSV by default.

    ``read_rows`` gives back the same texts. The byte order mark makes spreadsheets read UTF-8.
    ``notes`` are lines above the heading of CSV or TSV that reading passes over.
    """
    suffix = "".join(suffixes_of(name)[-1:])
    if suffix in SUFFIXES:
        yield workbook_bytes([SheetContent("Sheet1", columns, map(in_workbook, rows))], name)
        return
    tabs = SEPARATORS.get(suffix) == "\t"
    yield BOM
    for cells in chain(([f"# {note}"] for note in notes), (columns,), rows):
        yield csv_record(cells, tabs=tabs, end="\r\n").encode()


def write_sheet(
    path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[SheetCell]]
) -> None:
    """Write a sheet for people to a file, whole or not at all."""
    with writing(path) as stream:
        stream.writelines(sheet_bytes(path, columns, rows))


def in_workbook(cells: Sequence[SheetCell]) -> list[SheetCell]:
    """A row as a workbook holds it: a text that reading would shorten has an apostrophe more."""
    return [
        f"'{cell}" if isinstance(cell, str) and unguarded(cell) != cell else cell for cell in cells
    ]


def is_table(source: Source) -> bool:
    """Whether a file's name says CSV, TSV or XLSX; what has no suffix says so by its headings."""
    if not source.suffixes and not source.path.is_dir():
        return source.once(_has_headings)
    return is_table_name(source.path)


def is_table_name(path: str | Path) -> bool:
    """Whether a name is that of CSV, TSV or XLSX."""
    return "".join(suffixes_of(path)[-1:]) in _TABLE_SUFFIXES


def _has_headings(source: Source) -> bool:
    """Whether a file without a suffix, as from a pipe, begins with names of columns."""
    if source.looks_json or not source.head.strip():
        return False
    try:
        first_line = decoded(source.head.lstrip().partition(b"\n")[0], source.file)
    except DataError:
        return False
    cells = re.split(f"[{ANY_SEPARATOR}]", first_line)
    return (
        len(cells) > 1
        and all(len(cell) <= _LONGEST_HEADING for cell in cells)
        and any(folded(cell.strip('"')) in _HEADINGS for cell in cells)
    )


def is_rows(source: Source, *needed: str) -> bool:
    """Whether a file is such a table by its name and, of JSON Lines, by what its first row has.

    A test in flat JSON Lines is none.
    """
    if is_table(source):
        return True
    first = source.first_line
    return (
        "".join(source.suffixes[-1:]) in LINES
        and recognised_in(source) is None
        and isinstance(first, dict)
        and "readmark" not in first
        and set(needed) <= set(first)
    )


def read_rows(path: str | Path, needed: Sequence[str] = ("id",)) -> Iterator[SheetRow]:
    """The rows of a table; an error says where a needed column is missing."""
    suffix = _table_suffix(path)
    if suffix == ".txt" and read_bytes(path).lstrip()[:1] == b"{":
        suffix = LINES[0]
    return _json_rows(path, needed) if suffix in LINES else _rows_of_table(path, needed)


def _table_suffix(path: str | Path) -> str:
    """The suffix by which a file is read: its own, or the one that its content asks for."""
    suffix = "".join(Source(path).suffixes[-1:])
    if suffix in OTHER_SUFFIXES:
        raise DataError(f"a {suffix} file is not read: save it as .xlsx or CSV", file=path)
    if not suffix and read_head(path).lstrip()[:1] not in (b"{", b""):
        return ".csv"  # as it comes through a pipe
    return suffix if suffix in SEPARATORS or suffix in SUFFIXES else LINES[0]


def _json_rows(path: str | Path, needed: Sequence[str]) -> Iterator[SheetRow]:
    for place, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=path, where=place) from None
        if not isinstance(row, dict) or not set(needed) <= set(row):
            members = " and ".join(filter(None, (", ".join(needed[:-1]), needed[-1])))
            raise DataError(f"expected an object with {members}", file=path, where=place)
        yield place, row


def _rows_of_table(path: str | Path, needed: Sequence[str]) -> Iterator[SheetRow]:
    def has_needed(cells: Sequence[str]) -> bool:
        return set(needed) <= {cell.strip().lower() for cell in cells}

    with contextlib.closing(tables_in(path, has_needed, single=True)) as tables:
        place, headings, rows = next(tables)
        if headings:
            names = _column_names(headings, path, place, needed)
            for place, cells in rows:
                yield place, dict(zip(names, cells, strict=True))


def _column_names(
    headings: list[str], path: str | Path, place: int, needed: Sequence[str]
) -> list[str]:
    names = [heading.strip().lower() for heading in headings]
    missing = [name for name in needed if name not in names]
    if missing:
        raise DataError(
            f"has no column {missing[0]!r}; found: {', '.join(names)}", file=path, where=place
        )
    named = [name for name in names if name]
    repeated = next((name for name in named if named.count(name) > 1), None)
    if repeated is not None:
        raise DataError(f"two columns are called {repeated!r}", file=path, where=place)
    return names


IsHeader = Callable[[Sequence[str]], bool]
SheetTable = tuple[int, list[str], Iterator[TableRow]]
"""The place of the row with the columns' names, these names, and the rows below it."""


def tables_in(
    path: str | Path, is_header: IsHeader, *, single: bool = False
) -> Generator[SheetTable, None, None]:
    """The tables of a file, each before the next is opened: the sheets of a workbook, or one.

    A sheet that has the wanted columns comes before the others. One without any row has no names.
    With ``single``, a second sheet with the wanted columns is an error, since it would not be read.
    """
    suffix = _table_suffix(path)
    if suffix not in SUFFIXES:
        if suffix in LINES and Source(path).looks_json:
            raise DataError("is JSON and not a table: a table is CSV, TSV or XLSX", file=path)
        rows = delimited_rows(path, suffix if suffix in SEPARATORS else ".csv")
        yield _table(path, rows, is_header)
        return
    with open_workbook(path) as sheets:
        fits = {
            sheet.title: any(is_header(cells) for _, cells in islice(sheet.rows(), _HEADER_ROWS))
            for sheet in sheets
        }
        fitting = [repr(title) for title, is_fit in fits.items() if is_fit]
        if single and len(fitting) > 1:
            message = f"sheets {' and '.join(fitting)} have the same columns: keep only one of them"
            raise DataError(message, file=path)
        for sheet in sorted(sheets, key=lambda sheet: not fits[sheet.title]):
            rows = ((place, list(map(unguarded, cells))) for place, cells in sheet.rows())
            yield _table(path, rows, is_header, has_margin=True)
        if not sheets:
            yield _table(path, iter(()), is_header)


def _table(
    path: str | Path, rows: Iterator[TableRow], is_header: IsHeader, *, has_margin: bool = False
) -> SheetTable:
    """A table by the first row that is a header; the first row of all where none is."""
    first_rows: list[TableRow] = []
    for place, cells in rows:
        if cells[0].startswith("#") and not any(cells[1:]):
            continue  # a note of the sheet's author
        first_rows.append((place, cells))
        if is_header(cells) or len(first_rows) == _HEADER_ROWS:
            break
    if not first_rows:
        return 1, [], iter(())
    index = next((index for index, row in enumerate(first_rows) if is_header(row[1])), 0)
    place, names = first_rows[index]
    while names and not names[-1].strip():
        names = names[:-1]
    below = chain(first_rows[index + 1 :], rows)
    return place, names, _padded(path, below, len(names), has_margin=has_margin)


def _padded(
    path: str | Path, rows: Iterable[TableRow], width: int, *, has_margin: bool
) -> Iterator[TableRow]:
    """Rows as wide as the header; in the margin of a workbook, cells beyond it are notes."""
    for place, cells in rows:
        if len(cells) > width and not has_margin and any(cells[width:]):
            message = f"has {counted(len(cells), 'cell')}, expected {width}"
            raise DataError(message, file=path, where=place)
        yield place, cells[:width] + [""] * (width - len(cells))
