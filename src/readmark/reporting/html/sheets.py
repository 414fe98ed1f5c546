"""Marksheets read back: everything that the page is made from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.kinds import KINDS, Kind, kind_named
from readmark.corpus.marksheet import (
    MarkedRecord,
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    read_marksheet_header,
    read_marksheet_rows,
)
from readmark.corpus.source import Source
from readmark.corpus.values import Labelled
from readmark.marking.settings import Settings
from readmark.reporting.html.told import ToldMarks, read_marks


@dataclass(frozen=True, slots=True)
class Sheet:
    """One marksheet."""

    file: str
    header: MarksheetHeader
    kind: Kind
    settings: Settings
    records: Mapping[str, Sequence[Labelled]]
    units: Sequence[MarkedUnit]
    told: ToldMarks

    @property
    def name(self) -> str:
        """The file's name, without the folders of the machine that it lies on."""
        return Path(self.file).name

    @property
    def sat(self) -> bool:
        """Whether somebody was marked; a marksheet of people's own marks has no vectors."""
        return any(unit.vectors for unit in self.units)


def read_sheet(file: str) -> Sheet:
    """A marksheet, whole and of a kind that is known."""
    source = Source(file)
    if source.readmark_file != "marksheet":
        raise DataError(
            f"is {source.looks_like()}, expected a marksheet (readmark mark -o MARKSHEET)",
            file=file,
        )
    header = read_marksheet_header(file)
    if header.kind not in KINDS:
        known = ", ".join(KINDS)
        raise DataError(f"kind {header.kind!r} is unknown; known: {known}", file=file, where=1)
    records: dict[str, Sequence[Labelled]] = {}
    units: dict[str, MarkedUnit] = {}
    told: ToldMarks | None = None
    for row in read_marksheet_rows(file):
        match row:
            case MarkedRecord():
                records[row.id] = row.shown
            case MarkedUnit():
                if row.id in units:
                    raise DataError("a unit stands twice in the marksheet", file=file, where=row.id)
                units[row.id] = row
            case MarksRow():
                told = read_marks(row.marks, file=file)
    if told is None or not units:
        raise DataError("the marksheet has no units", file=file)
    if not told.marks:
        raise DataError("the marks row has no marks", file=file)
    kind = kind_named(header.kind)
    return Sheet(file, header, kind, _settings(header, file), records, list(units.values()), told)


def _settings(header: MarksheetHeader, file: str) -> Settings:
    known = {one.name for one in dataclasses.fields(Settings)}
    try:
        return Settings(**{name: one for name, one in header.settings.items() if name in known})
    except (UsageError, TypeError) as error:
        raise DataError(f"the header's settings: {error}", file=file, where=1) from None
