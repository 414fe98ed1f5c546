"""Rows as CSV that no spreadsheet runs as formulas.

A spreadsheet runs a cell that begins with ``=`` or the like as a formula: a text cell that could be
taken for one gets an apostrophe in front.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain

SheetCell = str | int | float | Decimal | None
"""What a sheet is written from; a text is never run as a formula, a number stays a number."""

TableRow = tuple[int, list[str]]
"""The number of a row that was read, and its cells."""

_FORMULA = re.compile(r"""'*(?:[\t\r\n]|[\s\x00-\x1f"\u200b\ufeff]*[=+\-@＝＋－＠])""")
"""How a cell begins that a spreadsheet may run, with full-width signs and what may be trimmed.

Apostrophes before it count too: otherwise a text that begins with one could not be told from a cell
that got one here.
"""
_SEPARATOR = re.compile(r"""[,;\t\r\n"]|^\s|\s$""")
"""What a cell is quoted for: the separators of every country, not of this file alone."""


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might run a text as a formula."""
    return _FORMULA.match(text) is not None


def unguarded(cell: str) -> str:
    """A cell as it was before it was guarded with an apostrophe."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[SheetCell]]) -> str:
    """A table as CSV for standard output: plain line ends, no byte order mark."""
    return "".join(csv_record(cells) for cells in chain((columns,), rows))


def csv_record(cells: Sequence[SheetCell], *, tabs: bool = False, end: str = "\n") -> str:
    """A line of a sheet. Between tabs every text is quoted: the header then shows it."""
    return ("\t" if tabs else ",").join(_written(cell, always=tabs) for cell in cells) + end


def _written(cell: SheetCell, *, always: bool) -> str:
    if cell is None:
        return ""
    text = str(cell)
    if not isinstance(cell, str) and math.isfinite(cell):
        return text  # a negative number begins with a sign and is not a formula
    if is_formula(text):
        text = f"'{text}"
    if always or _SEPARATOR.search(text):
        text = text.replace('"', '""')
        return f'"{text}"'
    return text
