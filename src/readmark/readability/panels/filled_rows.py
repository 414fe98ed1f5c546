"""The rows of files that judges fill in: sheets, tables of a class, JSON Lines, or sittings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.source import Source
from readmark.formats.registry import open_sitting
from readmark.formats.sheets import read_rows
from readmark.readability.panels.class_tables import CLASS_RATINGS, read_class


@dataclass(frozen=True, slots=True)
class FilledRow:
    """A row as somebody filled it in, and its place."""

    file: str
    line: int
    cells: Mapping[str, Any]

    def cell(self, name: str) -> str:
        """A cell's text, without white space around it."""
        value = self.cells.get(name)
        if name == "stars" and value in (None, ""):
            value = self.cells.get("rating")  # as sittings and other programs call it
        return "" if value is None else str(value).strip()

    @property
    def judge(self) -> str:
        """Who filled the row in: the cell of ``judge``, else the beginning of the file's name."""
        return self.cell("judge") or Path(self.file).name.split(".")[0]


def filled_rows(
    file: str, paper: str, ids: Container[str], *, by_row: bool = False
) -> Iterator[FilledRow]:
    """The rows of a sheet, of a table of a class (a row per cell), or of a sitting of the paper.

    ``ids`` are those of the passages, which tell whether rows or columns of a class's table are
    passages.
    """
    source = Source(file)
    ratings = read_class(source, ids, by_row=by_row) if CLASS_RATINGS.recognises(source) else []
    if len({rating.person for rating in ratings}) > 1:
        for rating in ratings:
            cells = {"judge": rating.person, "id": rating.id, "stars": rating.text}
            yield FilledRow(file, rating.line, cells)
        return
    if source.readmark_file != "sitting":
        for line, row in read_rows(file, ("id",)):
            if "stars" not in row and "rating" not in row:
                raise DataError("has no column 'stars'", file=file, where=line)
            yield FilledRow(file, line, row)
        return
    sitting = open_sitting(file, kind_named("readability"))
    if sitting.header.paper not in (None, paper):
        raise DataError("is a sitting of another paper than the plan's", file=file, where=1)
    for line, id in enumerate(sitting, 2):  # line 1 is the header
        for answer in sitting.of(id):
            if answer.error is not None:
                continue
            evidence = answer.evidence if isinstance(answer.evidence, dict) else {}
            yield FilledRow(
                file,
                line,
                {
                    "judge": sitting.candidate,
                    "rank": evidence.get("rank"),
                    "id": id,
                    "rating": answer.answer,
                    "seconds": answer.seconds,
                },
            )
