"""Workbooks (.xlsx): their cells as the text that a spreadsheet shows.

openpyxl knows the parts of a workbook, its styles and its dates. Rows are parsed here, as they are
asked for: its read-only sheets do not know which cells are merged, and its others hold every cell
in memory. Which formats are dates is private to it; the tests of dates fail if that is renamed.

Macros and links are never followed, formulas never computed: a cell has the value that the
spreadsheet stored in it. ECMA-376 part 1, 18.3 and 18.4, defines the elements.
"""

from __future__ import annotations

import contextlib
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn
from xml.etree.ElementTree import XMLParser

from readmark.core.compression import is_compressed
from readmark.core.csv_text import TableRow
from readmark.core.errors import DataError
from readmark.core.files import reading
from readmark.core.limits import limits, megabytes
from readmark.core.streams import readable_file
from readmark.core.zips import Zipped
from readmark.formats.number_formats import shown
from readmark.formats.workbook_writing import MOST_ROWS

SUFFIXES = (".xlsx", ".xlsm")
OTHER_SUFFIXES = (".xls", ".xlsb", ".ods", ".numbers")
"""Files of spreadsheets that are not read."""
_MOST_COLUMNS = 16_384
"""Columns of a sheet, by Excel's specifications."""
_FIRST_OWN_FORMAT = 164
"""Number formats below this are built in; those of the workbook are numbered from here."""
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
"""How compound files begin: old workbooks, and new ones with a password."""
_BLOCK = 1 << 18
_OVERLAP = 256
"""Bytes of the block before that are searched again; a mergeCell is shorter."""
_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\b[^>]*?\sref=\"([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})\""
)
_PLACE = re.compile(r"([A-Z]{1,3})\d+")
_ESCAPED = re.compile(r"_x(00[01][0-9A-Fa-f]|005[Ff])_")
_TEXT_ELEMENTS = ("v", "t")


class _Parser:
    """What the elements of a sheet or of the shared texts mean, as they come by."""

    def __init__(self) -> None:
        self._text: list[str] | None = None
        self._is_phonetic = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins; phonetic hints (rPh), as over Chinese, are no part of a text."""
        name = tag[tag.rfind("}") + 1 :]
        if name == "rPh":
            self._is_phonetic = True
        self._text = [] if name in _TEXT_ELEMENTS and not self._is_phonetic else None
        self._begins(name, attributes)

    def data(self, text: str) -> None:
        """Characters of an element."""
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        name = tag[tag.rfind("}") + 1 :]
        if name == "rPh":
            self._is_phonetic = False
        text, self._text = self._text, None
        self._ends(name, None if text is None else "".join(text))

    def doctype(self, name: str, public: str | None, system: str | None) -> NoReturn:
        """Entities could make a small file large."""
        raise ValueError("a part of it defines entities")

    def close(self) -> None:
        """Nothing is left to do."""

    def _begins(self, name: str, attributes: Mapping[str, str]) -> None:
        """What an element begins."""

    def _ends(self, name: str, text: str | None) -> None:
        """What an element completes; those that hold text come with it."""


class _TextParser(_Parser):
    """The texts that cells share."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._parts: list[str] = []

    def _ends(self, name: str, text: str | None) -> None:
        if text is not None:
            self._parts.append(text)
        elif name == "si":
            self.texts.append(_unescaped("".join(self._parts)))
            self._parts = []


class _SheetParser(_Parser):
    """The rows of a sheet, whose cells are what a spreadsheet shows."""

    def __init__(self, sheet: WorkbookSheet) -> None:
        super().__init__()
        self.rows: list[TableRow] = []
        self._sheet = sheet
        self._number = self._column = self._style = 0
        self._cells: list[str] = []
        self._type = "n"
        self._value: list[str] = []
        self._has_formula = False

    @property
    def place(self) -> str:
        """The cell that is being read, such as B7."""
        from openpyxl.utils import get_column_letter

        return f"{get_column_letter(self._column)}{self._number}"

    def _begins(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            place = attributes.get("r")
            match = None if place is None else _PLACE.fullmatch(place)
            self._column = self._column + 1 if match is None else _column(match[1])
            if self._column > _MOST_COLUMNS or (place is not None and match is None):
                where = place or f"column {self._column} of row {self._number}"
                raise self._sheet.fault(where, "is not a cell of a sheet")
            self._type = attributes.get("t", "n")
            self._style = int(attributes.get("s", 0))
            self._value = []
            self._has_formula = False
        elif name == "f":
            self._has_formula = True
        elif name == "row":
            self._number = int(attributes.get("r", self._number + 1))
            if self._number > MOST_ROWS:
                raise self._sheet.fault(str(self._number), "is beyond the last row of a sheet")
            self._column = 0
            self._cells = []

    def _ends(self, name: str, text: str | None) -> None:
        if text is not None:
            self._value.append(text)
        elif name == "c":
            text = self._shown("".join(self._value))
            if text:  # a file leaves out empty cells
                self._cells += [""] * (self._column - len(self._cells))
                self._cells[self._column - 1] = text
        elif name == "row":
            self.rows.append((self._number, self._cells))

    def _shown(self, value: str) -> str:
        """What a spreadsheet shows of a value, by the type of its cell (ECMA-376 18.18.11)."""
        if self._type in ("str", "inlineStr"):
            return _unescaped(value)
        if not value:
            if self._has_formula:
                message = "has a formula without a value: save the workbook in a spreadsheet first"
                raise self._sheet.fault(self.place, message)
            return ""
        if self._type == "s":
            return self._sheet.book.texts[int(value)]
        if self._type == "b":
            return shown(value == "1")
        if self._type == "e":
            raise self._sheet.fault(self.place, f"shows the error {value}")
        return self._sheet.book.shown(value, self._style) if self._type == "n" else value


def _unescaped(text: str) -> str:
    """A text with the characters that XML cannot hold, which are written as _x0009_ and so on."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _column(letters: str) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


class WorkbookSheet:
    """A sheet of a workbook; its rows can be read any number of times."""

    def __init__(self, book: _Workbook, title: str, part: str) -> None:
        self.book = book
        self.title = title
        self._part = part

    def rows(self) -> Iterator[TableRow]:
        """Every row that has a text. A cell that is merged over rows is in each of them."""
        merged = self._merged
        covering: dict[int, tuple[int, str]] = {}
        for number, cells in self._parsed():
            for column, (last, text) in list(covering.items()):
                if number > last:
                    del covering[column]
                elif text:
                    cells += [""] * (column - len(cells))
                    cells[column - 1] = cells[column - 1] or text
            for letters, last in merged.get(number, {}).items():
                column = _column(letters)
                if column <= len(cells):
                    covering[column] = last, cells[column - 1]
            if any(cells):
                yield number, cells

    def fault(self, place: str, message: str) -> DataError:
        """What is wrong with a cell."""
        return DataError(message, file=self.book.path, where=f"{self.title}!{place}")

    def _parsed(self) -> Iterator[TableRow]:
        target = _SheetParser(self)
        parser = XMLParser(target=target)
        with sound_workbook(self.book.path), self.book.open(self._part) as stream:
            while block := stream.read(_BLOCK):
                parser.feed(block)
                yield from target.rows
                target.rows.clear()
            parser.close()
            yield from target.rows

    @cached_property
    def _merged(self) -> dict[int, dict[str, int]]:
        """Merged cells by first row: columns and their last rows.

        The file names them after all rows, so it is read once more for them.
        """
        merged: dict[int, dict[str, int]] = {}
        window = b""
        with sound_workbook(self.book.path), self.book.open(self._part) as stream:
            while block := stream.read(_BLOCK):
                window = window[-_OVERLAP:] + block
                if b"mergeCell" in window:
                    for letters, first, last in _MERGED.findall(window):
                        merged.setdefault(int(first), {})[letters.decode()] = int(last)
        return merged


class _Workbook:
    """The parts of a workbook that cells refer to."""

    def __init__(self, path: Path) -> None:
        from openpyxl.reader.excel import SHARED_STRINGS, ExcelReader
        from openpyxl.styles.stylesheet import apply_stylesheet

        self.path = path
        reader = ExcelReader(path, read_only=True, data_only=True, keep_links=False)
        self._archive = reader.archive
        reader.read_manifest()
        reader.read_workbook()
        apply_stylesheet(reader.archive, reader.wb)
        self._book = reader.wb
        shared = reader.package.find(SHARED_STRINGS)
        self._shared_part = None if shared is None else shared.PartName[1:]
        self.sheets = [
            WorkbookSheet(self, sheet.name, link.target)
            for sheet, link in reader.parser.find_sheets()
            if link.target in reader.valid_files and "chartsheet" not in link.Type
        ]

    def open(self, part: str) -> Any:
        """A part's XML, unpacked as it is read."""
        return self._archive.open(part)

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    @cached_property
    def texts(self) -> list[str]:
        """The texts that cells share."""
        target = _TextParser()
        parser = XMLParser(target=target)
        if self._shared_part is not None:
            with self.open(self._shared_part) as stream:
                while block := stream.read(_BLOCK):
                    parser.feed(block)
                parser.close()
        return target.texts

    def shown(self, value: str, style: int) -> str:
        """A number in the format of its cell; some are dates."""
        from openpyxl.utils.datetime import from_excel

        number = float(value) if set(value) & set(".eE") else int(value)
        if style in self._book._date_formats:
            is_span = style in self._book._timedelta_formats
            return shown(from_excel(number, self._book.epoch, is_span), self._format(style))
        return shown(number, self._format(style))

    def _format(self, style: int) -> str:
        from openpyxl.styles.numbers import BUILTIN_FORMATS

        styles = self._book._cell_styles
        index = styles[style].numFmtId if style < len(styles) else 0
        if index < _FIRST_OWN_FORMAT:
            return str(BUILTIN_FORMATS.get(index, "General"))
        formats = self._book._number_formats
        own_index = index - _FIRST_OWN_FORMAT
        return str(formats[own_index]) if own_index < len(formats) else "General"


@contextlib.contextmanager
def sound_workbook(path: Path) -> Iterator[None]:
    """Whatever a damaged workbook makes its parser raise is one clear line."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DataError(f"not a valid workbook ({reason[:200]})", file=path) from None


@contextlib.contextmanager
def open_workbook(path: str | Path) -> Iterator[list[WorkbookSheet]]:
    """The sheets of a workbook, in their order."""
    path = readable_file(path)
    _require_safe_workbook(path)
    with sound_workbook(path), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of extensions that only change how cells look
        book = _Workbook(path)
    try:
        yield book.sheets
    finally:
        book.close()


def _require_safe_workbook(path: Path) -> None:
    """Refuse what unpacks to far more than its size, and what is not an .xlsx."""
    if path.suffix.lower() not in SUFFIXES:
        hint = ": unpack it" if is_compressed(path) else ""
        raise DataError(f"is not an .xlsx or .xlsm workbook{hint}", file=path)
    with reading(path) as stream:
        head = stream.read(8)
    if head.startswith(_OLD_WORKBOOK):
        message = "is an encrypted or old workbook (.xls): save it as .xlsx without a password"
        raise DataError(message, file=path)
    Zipped(path)
    with sound_workbook(path), zipfile.ZipFile(path) as packed:
        for info in packed.infolist():
            if info.file_size > limits().document:
                message = f"{info.filename} is larger than {megabytes(limits().document)}"
                raise limits().exceeded("document", message, file=path)
