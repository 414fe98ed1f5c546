"""New workbooks (.xlsx): texts stay texts, whatever they begin with, and equal content is equal.

openpyxl writes them; what it would date is set to a fixed time.
"""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.core.csv_text import SheetCell
from readmark.core.errors import DataError, UsageError

SUFFIX = ".xlsx"
MOST_ROWS, LONGEST_CELL = 1_048_576, 32_767
"""Rows of a sheet, and UTF-16 units of a cell, by Excel's specifications."""
_WIDE = 30
"""Characters of a column's width above which its cells are wrapped."""
_BLOCK = 1 << 18
_TO_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")
"""Characters that XML cannot hold, and what would be read as the escape of one."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold."""


@dataclass(frozen=True, slots=True)
class SheetContent:
    """A sheet to write: a heading row, where it has columns, and rows."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[SheetCell]]
    widths: Mapping[str, int] = field(default_factory=dict)
    """Widths of columns in characters, by heading; cells of wide ones are wrapped."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What the drop-down of a column offers, by heading."""


def workbook_bytes(sheets: Iterable[SheetContent], file: str | Path) -> bytes:
    """A workbook of these sheets; equal content gives equal bytes."""
    import openpyxl

    if Path(file).suffix.lower() != SUFFIX:
        raise UsageError(f"{file}: a workbook is written to a file that ends in {SUFFIX}")
    book = openpyxl.Workbook(write_only=True)
    for content in sheets:
        sheet = book.create_sheet(content.title)
        try:
            _write_sheet(sheet, content, file)
        except Exception:
            sheet.close()
            raise
    dated = io.BytesIO()
    book.save(dated)
    undated = io.BytesIO()
    with zipfile.ZipFile(dated) as old, zipfile.ZipFile(undated, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.compress_type = zipfile.ZIP_DEFLATED
            with old.open(name) as source, new.open(info, "w") as target:
                if name == "docProps/core.xml":
                    times = rb">\d{4}-\d\d-\d\dT[\d:]+Z<"
                    target.write(re.sub(times, b">1980-01-01T00:00:00Z<", source.read()))
                else:
                    shutil.copyfileobj(source, target, _BLOCK)
    return undated.getvalue()


def _write_sheet(sheet: Any, content: SheetContent, file: str | Path) -> None:
    from openpyxl.styles import Alignment
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    if content.columns:
        sheet.freeze_panes = "A2"
    wrapped = Alignment(wrap_text=True, vertical="top")
    top = Alignment(vertical="top")
    aligned = [wrapped if content.widths.get(name, 0) > _WIDE else top for name in content.columns]
    for index, name in enumerate(content.columns, 1):
        letter = get_column_letter(index)
        sheet.column_dimensions[letter].width = content.widths.get(name, 14)
        if name in content.choices:
            choices = ",".join(content.choices[name])
            drop_down = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True)
            drop_down.add(f"{letter}2:{letter}{MOST_ROWS}")
            sheet.data_validations.append(drop_down)
    if not content.columns:
        sheet.column_dimensions["A"].width = 100
    if content.columns:
        headings = [_cell(sheet, name, top, file, "A1", bold=True) for name in content.columns]
        sheet.append(headings)
    for number, row in enumerate(content.rows, 2 if content.columns else 1):
        if number > MOST_ROWS:
            raise DataError(f"a sheet has at most {MOST_ROWS:,} rows: write CSV", file=file)
        cells = []
        for index, value in enumerate(row):
            place = f"{sheet.title}!{get_column_letter(index + 1)}{number}"
            alignment = aligned[index] if aligned else wrapped
            cells.append(_cell(sheet, value, alignment, file, place))
        sheet.append(cells)


def _cell(
    sheet: Any,
    value: SheetCell,
    alignment: Any,
    file: str | Path,
    place: str,
    *,
    bold: bool = False,
) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    if value is None or value == "":
        return None
    cell = WriteOnlyCell(sheet, value="")
    if isinstance(value, str):
        if len(value.encode("utf-16-le")) // 2 > LONGEST_CELL:
            raise DataError(
                f"a text of {len(value):,} characters does not fit into a cell, which holds "
                f"{LONGEST_CELL:,}: write CSV",
                file=file,
                where=place,
            )
        # Set past the constructor, which would take a text that begins with = for a formula.
        cell._value = _TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
        cell.data_type = "s"
    else:
        cell.value = value
    cell.alignment = alignment
    if bold:
        cell.font = Font(bold=True)
    return cell
