"""Workbooks (.xlsx): their cells as the text that a spreadsheet shows, and new ones.

openpyxl parses them row by row. Macros and links are never followed, formulas never computed: a
cell has the value that the spreadsheet stored in it.
"""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.files import reading
from readmark.core.folders import Zipped
from readmark.core.limits import limits, megabytes
from readmark.core.streams import readable_file

SUFFIXES = (".xlsx", ".xlsm")
OTHERS = (".xls", ".xlsb", ".ods", ".numbers")
"""Files of spreadsheets that are not read."""
MOST_ROWS, MOST_COLUMNS, LONGEST = 1_048_576, 16_384, 32_767
"""Rows and columns of a sheet, and UTF-16 units of a cell, by Excel's specifications."""

Cell = str | int | float | Decimal | None
TableRow = tuple[int, list[str]]
"""A row's number and its cells."""

_BLOCK = 1 << 20
_ROW = re.compile(rb"<(?:\w+:)?row\b[^>]*?\sr=\"(\d+)\"")
_WIDE = re.compile(
    rb"<(?:\w+:)?c\b[^>]*?\sr=\"([A-Za-z]{4,}|(?i:x(?:f[e-z]|[g-z][a-z])|[yz][a-z]{2}))\d"
)
_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\b[^>]*?\sref=\"([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})\""
)
_FORMULA = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b[^>]*?(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_PLACE = re.compile(rb"\sr=\"([A-Za-z]+\d+)\"")
_ESCAPED = re.compile(r"_x(00[01][0-9A-Fa-f]|005[Ff])_")
_TO_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, slots=True)
class _Survey:
    """What is not known row by row: merged cells, and formulas without a stored value."""

    merged: Mapping[int, Mapping[str, int]]
    """By first row: columns and the last row that a cell covers."""
    uncomputed: frozenset[str]


class WorkbookSheet:
    """A sheet of a workbook; its rows can be read any number of times."""

    def __init__(self, path: Path, sheet: Any) -> None:
        self.path = path
        self.title: str = sheet.title
        self._sheet = sheet

    def rows(self) -> Iterator[TableRow]:
        """Every row that has a text, as text. A cell merged over rows is in each of them."""
        from openpyxl.utils import get_column_letter

        survey = self._survey
        covering: dict[int, tuple[int, str]] = {}
        self._sheet.reset_dimensions()  # what a file says of its size need not be true
        with sound_workbook(self.path):
            for number, row in enumerate(self._sheet.iter_rows(), 1):
                cells = [self._text(cell, number, column) for column, cell in enumerate(row, 1)]
                if survey.uncomputed:
                    for column in range(1, len(cells) + 1):
                        place = f"{get_column_letter(column)}{number}"
                        if place in survey.uncomputed:
                            raise self._fault(
                                place,
                                "has a formula whose value is not stored: "
                                "open and save the workbook in a spreadsheet",
                            )
                for column, (last, text) in list(covering.items()):
                    if number > last:
                        del covering[column]
                    elif text:
                        cells += [""] * (column - len(cells))
                        cells[column - 1] = cells[column - 1] or text
                for letters, last in survey.merged.get(number, {}).items():
                    column = _column(letters)
                    if column <= len(cells):
                        covering[column] = last, cells[column - 1]
                if any(cells):
                    yield number, cells

    def _fault(self, place: str, message: str) -> DataError:
        return DataError(message, file=self.path, where=f"{self.title}!{place}")

    def _text(self, cell: Any, number: int, column: int) -> str:
        value = cell.value
        if value is None:
            return ""
        if isinstance(value, str):
            if cell.data_type == "e":
                from openpyxl.utils import get_column_letter

                place = f"{get_column_letter(column)}{number}"
                raise self._fault(place, f"shows the error {value}")
            return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
        return shown(value, cell.number_format)

    @cached_property
    def _survey(self) -> _Survey:
        """Look through a sheet's XML as bytes, which is quick; absurd places are refused."""
        merged: dict[int, dict[str, int]] = {}
        uncomputed: set[str] = set()
        rest = b""
        with sound_workbook(self.path), self._sheet._get_source() as stream:
            while block := stream.read(_BLOCK):
                rest += block
                end = rest.rfind(b"row>") + 4
                if end > 3:
                    self._look(rest[:end], merged, uncomputed)
                    rest = rest[end:]
                elif len(rest) > limits().line:
                    message = f"sheet {self.title!r} has a row of {megabytes(len(rest))}"
                    raise limits().exceeded("line", message, file=self.path)
            self._look(rest, merged, uncomputed)
        return _Survey(merged, frozenset(uncomputed))

    def _look(self, xml: bytes, merged: dict[int, dict[str, int]], uncomputed: set[str]) -> None:
        last = max(map(int, _ROW.findall(xml)), default=0)
        wide = _WIDE.search(xml)
        if last > MOST_ROWS or wide is not None:
            what = f"row {last}" if wide is None else f"column {wide[1].decode()}"
            raise DataError(
                f"has a cell in {what}, beyond the last of a sheet",
                file=self.path,
                where=self.title,
            )
        for letters, first, end in _MERGED.findall(xml):
            merged.setdefault(int(first), {})[letters.decode()] = int(end)
        if b"<f" in xml or b":f" in xml:
            for match in _FORMULA.finditer(xml):
                place = _PLACE.search(match[1])
                if place is not None and b't="str"' not in match[1]:
                    uncomputed.add(place[1].decode().upper())


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


@contextlib.contextmanager
def sound_workbook(path: Path) -> Iterator[None]:
    """Whatever a damaged workbook makes its parser raise is one clear line."""
    try:
        yield
    except (DataError, MemoryError, GeneratorExit):
        raise
    except Exception as error:
        what = str(error).strip().split("\n", 1)[0] or type(error).__name__
        raise DataError(f"not a sound workbook ({what[:200]})", file=path) from None


@contextlib.contextmanager
def open_workbook(path: str | Path) -> Iterator[list[WorkbookSheet]]:
    """The sheets of a workbook that have cells, in their order."""
    import warnings

    import openpyxl

    path = readable_file(path)
    _refuse_bombs(path)
    with sound_workbook(path), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of extensions that only change how cells look
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        yield [
            WorkbookSheet(path, sheet) for sheet in book.worksheets if hasattr(sheet, "iter_rows")
        ]
    finally:
        book.close()


def _refuse_bombs(path: Path) -> None:
    """Refuse what unpacks to far more than its size, and XML that defines entities."""
    with reading(path) as stream:
        head = stream.read(8)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        message = "is an encrypted or old workbook (.xls): save it as .xlsx without a password"
        raise DataError(message, file=path)
    Zipped(path)
    with sound_workbook(path), zipfile.ZipFile(path) as packed:
        for info in packed.infolist():
            if info.file_size > limits().document:
                message = f"{info.filename} is larger than {megabytes(limits().document)}"
                raise limits().exceeded("document", message, file=path)
            if info.filename.endswith((".xml", ".rels")):
                with packed.open(info) as part:
                    if b"<!DOCTYPE" in part.read(4096).replace(b"\0", b""):
                        raise DataError(f"{info.filename} defines entities", file=path)


# Numbers and dates as a spreadsheet shows them, as far as their format is plain.


_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_(.)|\*(.)|\[[^\]]*\]')
_NUMBER = re.compile(
    r"(?P<before>[^#0,.%?]*)(?P<digits>[#0,?]+)(?P<point>\.[#0?]+)?(?P<after>[^#0?]*)"
)
_DATE = re.compile(
    r'"[^"]*"|\\.|\[[^\]]*\]|am/pm|a/p|上午/下午|yyyy|yy|e|m{1,5}|d{1,4}|h{1,2}|s{1,2}(?:\.0+)?|.',
    re.IGNORECASE,
)
_PLAIN_DATES = ("mm-dd-yy", "m/d/yy h:mm")
"""Formats that every country shows in its own way: written as ISO 8601 here."""


def shown(value: object, format: str = "General") -> str:
    """A value that is no text in a number format; whole numbers have no fraction."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _number(value, format.split(";")[0])
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    if isinstance(value, (date, time)):
        return _date(value, format.split(";")[0])
    return str(value)


def _plain(value: float) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, int) else f"{value:.15g}"


def _number(value: float, format: str) -> str:
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        text = match[1] if match[1] is not None else match[2] or ""
        literals.append(text)
        return chr(0xE000 + len(literals) - 1)

    spelt = _NUMBER.fullmatch(_LITERAL.sub(keep, format))
    if spelt is None or "E" in spelt["after"].upper() or "/" in spelt["after"]:
        return _plain(value)
    after = spelt["after"]
    percent = "%" in after
    places = len(spelt["point"] or "") - 1 if spelt["point"] else 0
    scaled = Decimal(repr(value)) * (100 if percent else 1)
    number = f"{abs(scaled):{',' if ',' in spelt['digits'].strip(',') else ''}.{places}f}"
    whole, point, fraction = number.partition(".")
    if point and "#" in (spelt["point"] or ""):
        least = (spelt["point"] or "").rstrip("#?").count("0")
        fraction = fraction[:least] + fraction[least:].rstrip("0")
    whole = whole.rjust(spelt["digits"].count("0"), "0")
    sign = "-" if scaled < 0 and any(digit not in "0,." for digit in number) else ""
    text = f"{spelt['before']}{sign}{whole}{point if fraction else ''}{fraction}{after}"
    return "".join(
        literals[ord(c) - 0xE000] if 0 <= ord(c) - 0xE000 < len(literals) else c for c in text
    )


def _date(value: date | time, format: str) -> str:
    """By the parts of its format; an m next to hours or seconds is minutes."""
    parts = [part for part in _DATE.findall(format) if not part.startswith("[")]
    if format not in _PLAIN_DATES and any(part[0].lower() in "ymdhs" for part in parts):
        return "".join(_date_parts(value, parts))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return value.isoformat()


def _date_parts(value: Any, parts: Sequence[str]) -> Iterator[str]:
    lower = [part.lower() for part in parts]
    half = any(part in ("am/pm", "a/p", "上午/下午") for part in lower)
    named = [part for part in lower if part[0] in "ymdhs" or part in ("am/pm", "a/p")]
    index = -1
    for part, small in zip(parts, lower, strict=True):
        if part[0] in '"\\':
            yield part.strip('"') if part[0] == '"' else part[1:]
            continue
        if small[0] not in "ymdhse" and small not in ("am/pm", "a/p", "上午/下午"):
            yield part
            continue
        index += small[0] != "e"
        minutes = small in ("m", "mm") and (
            (index > 0 and named[index - 1][0] == "h")
            or (index + 1 < len(named) and named[index + 1][0] == "s")
        )
        yield _date_part(value, small, half=half, minutes=minutes)


def _date_part(value: Any, part: str, *, half: bool, minutes: bool) -> str:
    if part in ("am/pm", "a/p"):
        return ("AM" if value.hour < 12 else "PM")[: 1 if part == "a/p" else 2]
    if part == "上午/下午":
        return "上午" if value.hour < 12 else "下午"
    if part[0] == "h":
        hour = (value.hour % 12 or 12) if half else value.hour
        return f"{hour:0{len(part)}}"
    if minutes:
        return f"{value.minute:0{len(part)}}"
    if part[0] == "s":
        return f"{value.second:0{len(part.partition('.')[0])}}"
    if part[0] in "ye":
        return f"{value.year % 100:02}" if part == "yy" else str(value.year)
    if part[0] == "m":
        name = _MONTHS[value.month - 1]
        return {3: name[:3], 4: name, 5: name[:1]}.get(len(part)) or f"{value.month:0{len(part)}}"
    day = _DAYS[value.weekday()]
    return {3: day[:3], 4: day}.get(len(part)) or f"{value.day:0{len(part)}}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


# Writing: texts stay texts, whatever they begin with.


@dataclass(frozen=True, slots=True)
class SheetContent:
    """A sheet to write: a heading row, where it has columns, and rows."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
    widths: Mapping[str, int] = field(default_factory=dict)
    """Widths of columns in characters, by heading; cells of wide ones are wrapped."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What the drop-down of a column offers, by heading."""


def workbook_bytes(sheets: Iterable[SheetContent], file: str | Path) -> bytes:
    """A workbook of these sheets; equal content gives equal bytes."""
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    for content in sheets:
        _write_sheet(book.create_sheet(content.title), content, file)
    made = io.BytesIO()
    book.save(made)
    packed = io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = re.sub(rb">\d{4}-\d\d-\d\dT[\d:]+Z<", b">1980-01-01T00:00:00Z<", data)
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _write_sheet(sheet: Any, content: SheetContent, file: str | Path) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    if content.columns:
        sheet.freeze_panes = "A2"
    wrapped = Alignment(wrap_text=True, vertical="top")
    top = Alignment(vertical="top")
    aligned = [wrapped if content.widths.get(name, 0) > 30 else top for name in content.columns]
    for index, name in enumerate(content.columns, 1):
        letter = get_column_letter(index)
        sheet.column_dimensions[letter].width = content.widths.get(name, 14)
        if name in content.choices:
            offered = DataValidation(
                type="list", formula1='"' + ",".join(content.choices[name]) + '"', allow_blank=True
            )
            offered.add(f"{letter}2:{letter}{MOST_ROWS}")
            sheet.data_validations.append(offered)
    if not content.columns:
        sheet.column_dimensions["A"].width = 100

    def cell(value: Cell, place: str, alignment: Alignment, *, bold: bool = False) -> Any:
        if value is None or value == "":
            return None
        made = WriteOnlyCell(sheet, value="")
        if isinstance(value, str):
            if len(value.encode("utf-16-le")) // 2 > LONGEST:
                raise DataError(
                    f"a text of {len(value):,} characters does not fit into a cell, which holds "
                    f"{LONGEST:,}: write CSV",
                    file=file,
                    where=place,
                )
            made._value = _TO_ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
            made.data_type = "s"  # a text that begins with = is no formula
        else:
            made.value = value
        made.alignment = alignment
        if bold:
            made.font = Font(bold=True)
        return made

    if content.columns:
        sheet.append([cell(name, "A1", top, bold=True) for name in content.columns])
    for number, row in enumerate(content.rows, 2 if content.columns else 1):
        if number > MOST_ROWS:
            raise DataError(f"a sheet has at most {MOST_ROWS:,} rows: write CSV", file=file)
        sheet.append(
            [
                cell(
                    value,
                    f"{sheet.title}!{get_column_letter(index)}{number}",
                    aligned[index - 1] if aligned else wrapped,
                )
                for index, value in enumerate(row, 1)
            ]
        )
