"""Marksheets read back: everything that the page is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats.lines import in_words
from readmark.corpus.kinds import Kind, kind_named
from readmark.corpus.marksheet import (
    MarkedRecord,
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    checked_rows,
    read_marksheet_header,
)
from readmark.corpus.source import Source
from readmark.corpus.values import Labelled
from readmark.marking.metrics import installed_metrics
from readmark.marking.people import LEAVE_ONE_OUT, PANEL
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
    settings = read_settings(header, file)
    widths = {name: metric.width for name, metric in installed_metrics(header.metrics).items()}
    records: dict[str, Sequence[Labelled]] = {}
    units: list[MarkedUnit] = []
    told: ToldMarks | None = None
    for number, row in checked_rows(file, header, widths):
        match row:
            case MarkedRecord():
                records[row.id] = row.shown
            case MarkedUnit():
                units.append(row)
            case MarksRow():
                told = read_marks(row.marks, header, file=file, where=number)
                _require_people(told, header, units, file=file, where=number)
    assert told is not None  # rows without marks are refused
    return Sheet(file, header, kind_named(header.kind), settings, records, units, told)


def read_settings(header: MarksheetHeader, file: str) -> Settings:
    """How the marks were made, as the header says; settings of other versions are passed over."""
    try:
        return msgspec.convert(header.settings, Settings)
    except (UsageError, msgspec.ValidationError) as error:
        what = in_words(error) if isinstance(error, msgspec.ValidationError) else error
        raise DataError(f"the header's settings: {what}", file=file, where=1) from None


def _require_people(
    told: ToldMarks,
    header: MarksheetHeader,
    units: Sequence[MarkedUnit],
    *,
    file: str,
    where: int,
) -> None:
    """Marks that tell of people need their vectors."""
    method = told.people.method if told.people is not None else told.method
    vectors = {LEAVE_ONE_OUT: any(unit.alone for unit in units), PANEL: bool(header.panel)}
    if method is not None and not vectors[method]:
        raise DataError(
            f"the marks row: it tells of people ({method}), but no unit has their vectors",
            file=file,
            where=where,
        )
