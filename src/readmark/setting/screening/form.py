"""A form for a person to decide on: a table with every passage and an empty decision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from readmark.corpus.files import BOM, writing
from readmark.setting.screening.report import Row

COLUMNS = ("id", "decision", "reason", "person", "text", "version")
"""What the rules said is left out: who sees it first agrees with it too easily."""


def write_form(path: str | Path, judged: Iterable[tuple[Row, str]]) -> None:
    """Write the form as CSV with a byte order mark, which spreadsheets want for Chinese."""
    with writing(path) as stream:
        stream.write(BOM + _line(COLUMNS))
        for row, text in judged:
            stream.write(_line((row.id, "", "", "", text, row.version)))


def _line(cells: Iterable[str]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue().encode("utf-8")
