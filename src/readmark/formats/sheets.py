"""Tables that people fill in: CSV, TSV, XLSX, or JSON Lines without a header, one row per line.

Spreadsheets save them in whatever encoding and with whatever separator their country has. They also
run a cell that begins with ``=`` or the like as a formula, so every sheet is written here: a text
cell that could be a formula gets an apostrophe in front, which reading takes away again. In a
workbook texts are texts, and only one that reads as if it had such an apostrophe gets another.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from readmark.core.counts import counted
from readmark.core.csv_text import SheetCell, csv_record, is_formula
from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import (
    BOM,
    JSON_ERRORS,
    json_fault,
    read_bytes,
    read_head,
    read_lines,
    reading,
)
from readmark.core.limits import limits, megabytes
from readmark.core.source import Source, suffixes_of
from readmark.core.writing import writing
from readmark.formats.tables.flat import kind_of
from readmark.formats.tables.headings import HEADINGS, folded
from readmark.formats.workbooks import (
    OTHERS,
    SUFFIXES,
    SheetContent,
    TableRow,
    open_workbook,
    workbook_bytes,
)

if TYPE_CHECKING:
    from _csv import Reader


Row = tuple[int, dict[str, Any]]
"""A line's number, and its cells by column; those of a table are unchanged text."""

LINES = (".jsonl", ".ndjson")
_TABLES = {".csv": ",;\t|", ".tsv": "\t", ".txt": "\t"}
_NAMED = (".csv", ".tsv", *SUFFIXES)
"""Suffixes that nothing but a table has; "Unicode text" of a spreadsheet is called .txt."""
_DELIMITERS = ",;\t|"
_HEADINGS = frozenset(folded(name) for names in HEADINGS.values() for name in names)
LONGEST_HEADING = 40
"""Characters of a column's name by which a file without a suffix is known as a table."""
HEADER_ROWS = 30
"""Rows among which the one with the columns' names is sought: titles and notes may be above it."""
_HEAD = 1 << 20
_BLOCK = 1 << 20

_HEADER = re.compile(r"""(?:[^"\n]++|"[^"]*+")*+(?=\n|\Z)""")
_QUOTED = re.compile(r'"[^"]*"')


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
    tabs = _TABLES.get(suffix) == "\t"
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


def unguarded(cell: str) -> str:
    """A cell as it was before it was guarded with an apostrophe."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell


def is_table(source: Source) -> bool:
    """Whether a file's name says CSV, TSV or XLSX; what has no suffix says so by its headings."""
    if not source.suffixes and not source.path.is_dir():
        return source.once(_has_headings)
    return is_table_name(source.path)


def is_table_name(path: str | Path) -> bool:
    """Whether a name is that of CSV, TSV or XLSX."""
    return "".join(suffixes_of(path)[-1:]) in _NAMED


def _has_headings(source: Source) -> bool:
    """Whether a file without a suffix, as from a pipe, begins with names of columns."""
    if source.looks_json or not source.head.strip():
        return False
    try:
        head = decoded(source.head.lstrip().partition(b"\n")[0], source.file)
    except DataError:
        return False
    cells = re.split(f"[{_DELIMITERS}]", head)
    return (
        len(cells) > 1
        and all(len(cell) <= LONGEST_HEADING for cell in cells)
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
        and kind_of(source) is None
        and isinstance(first, dict)
        and "readmark" not in first
        and set(needed) <= set(first)
    )


def read_rows(path: str | Path, needed: Sequence[str] = ("id",)) -> Iterator[Row]:
    """The rows of a table; one that lacks a needed column is placed."""
    suffix = _suffix(path)
    if suffix == ".txt" and read_bytes(path).lstrip()[:1] == b"{":
        suffix = LINES[0]
    if suffix in LINES:
        return _objects(path, needed)
    return _named_cells(path, needed)


def _suffix(path: str | Path) -> str:
    suffix = "".join(Source(path).suffixes[-1:])
    if suffix in OTHERS:
        raise DataError(f"a {suffix} file is not read: save it as .xlsx or CSV", file=path)
    if not suffix and read_head(path).lstrip()[:1] not in (b"{", b""):
        return ".csv"  # as it comes through a pipe
    return suffix if suffix in _TABLES or suffix in SUFFIXES else LINES[0]


def _named_cells(path: str | Path, needed: Sequence[str]) -> Iterator[Row]:
    def has_needed(cells: Sequence[str]) -> bool:
        return set(needed) <= {cell.strip().lower() for cell in cells}

    with contextlib.closing(tables_in(path, has_needed, single=True)) as tables:
        place, cells, rows = next(tables)
        if cells:
            header = _header(cells, path, place, needed)
            for place, cells in rows:
                yield place, dict(zip(header, cells, strict=True))


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
    suffix = _suffix(path)
    if suffix not in SUFFIXES:
        if suffix in LINES and Source(path).looks_json:
            raise DataError("is JSON and no table: a table is CSV, TSV or XLSX", file=path)
        yield _table(path, _cells(path, suffix if suffix in _TABLES else ".csv"), is_header)
        return
    with open_workbook(path) as sheets:
        fits = {
            sheet.title: any(is_header(cells) for _, cells in islice(sheet.rows(), HEADER_ROWS))
            for sheet in sheets
        }
        wanted = [repr(title) for title, is_wanted in fits.items() if is_wanted]
        if single and len(wanted) > 1:
            message = f"sheets {' and '.join(wanted)} have the same columns: keep only one of them"
            raise DataError(message, file=path)
        ordered = sorted(sheets, key=lambda sheet: not fits[sheet.title])
        for sheet in ordered:
            rows = ((place, list(map(unguarded, cells))) for place, cells in sheet.rows())
            yield _table(path, rows, is_header, spare=True)
        if not ordered:
            yield _table(path, iter(()), is_header)


def _table(
    path: str | Path, rows: Iterator[TableRow], is_header: IsHeader, *, spare: bool = False
) -> SheetTable:
    first: list[TableRow] = []
    for place, cells in rows:
        if cells[0].startswith("#") and not any(cells[1:]):
            continue  # a note of the sheet's author
        first.append((place, cells))
        if is_header(cells) or len(first) == HEADER_ROWS:
            break
    if not first:
        return 1, [], iter(())
    at = next((index for index, row in enumerate(first) if is_header(row[1])), 0)
    place, names = first[at]
    while names and not names[-1].strip():
        names = names[:-1]
    return place, names, _even(path, chain(first[at + 1 :], rows), len(names), spare=spare)


def _even(
    path: str | Path, rows: Iterable[TableRow], width: int, *, spare: bool
) -> Iterator[TableRow]:
    """Rows as wide as the header; ``spare`` cells beyond it are notes of a workbook."""
    for place, cells in rows:
        if len(cells) > width and not spare and any(cells[width:]):
            found = counted(len(cells), "cell")
            raise DataError(f"has {found}, expected {width}", file=path, where=place)
        yield place, cells[:width] + [""] * (width - len(cells))


def _objects(path: str | Path, needed: Sequence[str]) -> Iterator[Row]:
    for place, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=path, where=place) from None
        if not isinstance(row, dict) or not set(needed) <= set(row):
            listed = " and ".join(filter(None, (", ".join(needed[:-1]), needed[-1])))
            raise DataError(f"expected an object with {listed}", file=path, where=place)
        yield place, row


def _cells(path: str | Path, suffix: str) -> Iterator[TableRow]:
    """The rows of a table in text that have something in them, as they were before writing."""
    with _text(path) as text:
        head = text.read(_HEAD)
    delimiters = _TABLES[suffix]
    header = _bare_header(head)
    delimiter = max(delimiters, key=header.count)
    if suffix == ".tsv" and "\t" not in header:
        delimiter = max("\t,;|", key=header.count)
    plain = delimiter == "\t" and suffix != ".csv" and not _is_quoted(path, head)
    before = width = 0
    csv.field_size_limit(min(limits().line, 2**31 - 1))
    with _text(path) as text:
        reader = _plain(text) if plain else _quoted(text, delimiter)
        try:
            for cells in reader:
                place, before = before + 1, reader.line_num  # a quoted cell may hold line breaks
                if not any(cell.strip() for cell in cells):
                    continue
                width = width or len(cells)
                if plain and len(cells) < width and _opens(cells[-1]):
                    raise DataError(
                        f"has {counted(len(cells), 'cell')}, expected {width}, and a quotation "
                        "mark that is not closed: save the table as CSV",
                        file=path,
                        where=place,
                    )
                yield place, list(map(unguarded, cells))
        except csv.Error as error:
            if "field limit" in str(error):
                message = f"has a cell of more than {megabytes(limits().line)}"
                raise limits().exceeded("line", message, file=path, where=before + 1) from None
            message = f"is not a valid table ({error})"
            raise DataError(message, file=path, where=before + 1) from None


@contextlib.contextmanager
def _text(path: str | Path) -> Iterator[TextIO]:
    """The text of a file: UTF-8 as it is read, any other encoding as a whole."""
    if not _is_utf_8(path):
        yield io.StringIO(decoded(read_bytes(path), str(path)), newline="")
        return
    with reading(path) as stream:
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        try:
            yield text
        finally:
            text.detach()


def _is_utf_8(path: str | Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with reading(path) as stream:
        try:
            while block := stream.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _plain(text: Iterable[str]) -> Reader:
    """Cells parted by tabs in which a quotation mark is one."""
    return csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)


def _quoted(text: Iterable[str], delimiter: str) -> Reader:
    """Cells that may be quoted, and then hold line breaks and separators."""
    return csv.reader(text, delimiter=delimiter, strict=True)


def _filled(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    return (cells for cells in rows if any(cell.strip() for cell in cells))


def _bare_header(text: str) -> str:
    """The first row without what is quoted in it; unchanged where a quotation is not closed.

    Notes before it are passed over.
    """
    text = text.lstrip()
    while (match := _HEADER.match(text)) and match[0].lstrip('"').startswith("#"):
        text = text[match.end() :].lstrip()
        if not text:
            break
    return _QUOTED.sub("", match[0]) if match else text.partition("\n")[0]


def _opens(cell: str) -> bool:
    return cell.startswith('"') and not _closed(cell)


def _closed(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def _is_quoted(path: str | Path, head: str) -> bool:
    """Whether cells between tabs are quoted, as spreadsheets do where one has a line break.

    Other programs write quotation marks as they stand, and so one at the beginning of a cell says
    nothing: only lines that are no rows by themselves do, or marks that are doubled.
    """
    if '"' in head and not _bare_header(head).strip("\t\r"):
        return True  # a header is quoted by programs that quote every text
    wide = 0
    try:
        with _text(path) as text:
            for cells in _filled(_quoted(text, "\t")):
                wide = wide or len(cells)
                if len(cells) != wide and any("\n" in cell for cell in cells):
                    return False
        with _text(path) as text:
            return any(
                (len(cells) < wide and any(map(_opens, cells)))
                or any('""' in cell[1:-1] for cell in cells if _closed(cell))
                for cells in _filled(_plain(text))
            )
    except csv.Error:
        return False


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
