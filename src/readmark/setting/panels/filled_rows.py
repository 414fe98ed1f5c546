"""The rows of files that judges fill in: tables, JSON Lines, or a sitting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.formats import open_sitting
from readmark.corpus.kinds import kind_named
from readmark.corpus.rows import read_rows
from readmark.corpus.source import Source


@dataclass(frozen=True, slots=True)
class FilledRow:
    """A row as somebody filled it in, with its place."""

    file: str
    line: int
    cells: Mapping[str, Any]

    def said(self, name: str) -> str:
        """What a cell holds, without white space around it."""
        value = self.cells.get(name)
        if name == "stars" and value in (None, ""):
            value = self.cells.get("rating")  # as sittings and other programs call it
        return "" if value is None else str(value).strip()

    @property
    def judge(self) -> str:
        """Who the row is of: by its column, else by the file's name."""
        return self.said("judge") or Path(self.file).name.split(".")[0]


def filled_rows(file: str, paper: str) -> Iterator[FilledRow]:
    """The rows of a table; those of a sitting are its candidate's, who must have sat the paper."""
    if Source(file).readmark_file != "sitting":
        for line, row in read_rows(file, ("id",)):
            if "stars" not in row and "rating" not in row:
                raise DataError("has no column 'stars'", file=file, where=line)
            yield FilledRow(file, line, row)
        return
    sitting = open_sitting(file, kind_named("readability"))
    if sitting.header.paper not in (None, paper):
        raise DataError("is a sitting of another paper than the plan's", file=file, where=1)
    for line, id in enumerate(sitting, 2):
        for one in sitting.of(id):
            if one.error is None:
                more = one.evidence if isinstance(one.evidence, dict) else {}
                about = {"judge": sitting.candidate, "rank": more.get("rank")}
                cells = {**about, "id": id, "rating": one.rating, "seconds": one.seconds}
                yield FilledRow(file, line, cells)
