"""The cells of CSV and TSV, in whatever encoding and with whatever separator they were saved."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from readmark.core.counts import counted
from readmark.core.csv_text import TableRow, unguarded
from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, reading
from readmark.core.limits import limits, megabytes

if TYPE_CHECKING:
    from _csv import Reader

SEPARATORS = {".csv": ",;\t|", ".tsv": "\t", ".txt": "\t"}
"""The separators that files of each suffix may have; "Unicode text" of a spreadsheet is .txt."""
ANY_SEPARATOR = ",;\t|"
_HEAD = 1 << 20
"""Characters in which the separator and the use of quotation marks are looked for."""
_BLOCK = 1 << 20
_HEADER = re.compile(r"""(?:[^"\n]++|"[^"]*+")*+(?=\n|\Z)""")
_QUOTED = re.compile(r'"[^"]*"')


def delimited_rows(path: str | Path, suffix: str) -> Iterator[TableRow]:
    """The rows that have something in them, each with its number, as they were before writing."""
    with _text(path) as text:
        head = text.read(_HEAD)
    header = _bare_header(head)
    delimiter = max(SEPARATORS[suffix], key=header.count)
    if suffix == ".tsv" and "\t" not in header:
        delimiter = max("\t,;|", key=header.count)
    is_unquoted = delimiter == "\t" and suffix != ".csv" and not _is_quoted(path, head)
    # The module's limit is for all readers of the process; its field size is a C long.
    csv.field_size_limit(min(limits().line, 2**31 - 1))
    last_line = width = 0
    with _text(path) as text:
        reader = _unquoted(text) if is_unquoted else _quoted(text, delimiter)
        try:
            for cells in reader:
                place = last_line + 1
                last_line = reader.line_num  # a quoted cell may hold line breaks
                if not any(cell.strip() for cell in cells):
                    continue
                width = width or len(cells)
                if is_unquoted and len(cells) < width and _opens(cells[-1]):
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
                raise limits().exceeded("line", message, file=path, where=last_line + 1) from None
            message = f"is not a valid table ({error})"
            raise DataError(message, file=path, where=last_line + 1) from None


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


def _unquoted(text: Iterable[str]) -> Reader:
    """Cells parted by tabs, in which a quotation mark is a character like any other."""
    return csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)


def _quoted(text: Iterable[str], delimiter: str) -> Reader:
    """Cells that may be quoted, and then hold line breaks and separators."""
    return csv.reader(text, delimiter=delimiter, strict=True)


def _is_quoted(path: str | Path, head: str) -> bool:
    """Whether cells between tabs are quoted, as spreadsheets do where one has a line break.

    Other programs write quotation marks as they stand, and so one at the beginning of a cell says
    nothing: only lines that are no rows by themselves do, or marks that are doubled.
    """
    if '"' in head and not _bare_header(head).strip("\t\r"):
        return True  # a header is quoted by programs that quote every text
    width = 0
    try:
        with _text(path) as text:
            for cells in _filled(_quoted(text, "\t")):
                width = width or len(cells)
                if len(cells) != width and any("\n" in cell for cell in cells):
                    return False
        with _text(path) as text:
            return any(
                (len(cells) < width and any(map(_opens, cells)))
                or any('""' in cell[1:-1] for cell in cells if _is_closed(cell))
                for cells in _filled(_unquoted(text))
            )
    except csv.Error:
        return False


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
    """Whether a cell begins a quotation that it does not end."""
    return cell.startswith('"') and not _is_closed(cell)


def _is_closed(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'
