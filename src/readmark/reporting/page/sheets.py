"""Marksheets read back: everything that the page is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import DataError
from readmark.core.kinds import Kind, kind_named
from readmark.core.marksheet import (
    MarkedRecord,
    MarkedTest,
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    checked_rows,
    read_marksheet_header,
)
from readmark.core.records import Labelled
from readmark.core.source import Source
from readmark.marking.marks import Settings
from readmark.marking.marksheets import ToldMarks, read_marks, read_settings
from readmark.marking.metrics import installed_metrics
from readmark.marking.people import LEAVE_ONE_OUT, PANEL, told_apart
from readmark.reporting.page.words import (
    Both,
    Isolated,
    Text,
    counted,
    isolated,
    joined,
    noun,
    say,
    say_html,
    table,
)

# The closing marks of a marksheet as values: what ``mark --json`` and ``people --json`` print.


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


# What part of a test a candidate sat, as a label beside its name and as a clause.


def labels(names: Sequence[str], sheets: Sequence[Sheet]) -> list[Both]:
    """Every candidate's name with the part that it sat; names that are still equal are numbered."""
    sides = []
    for at in range(2):
        parts = [(part.en, part.zh)[at] for part in map(_part, sheets)]
        said = [
            f"{isolated(name)}{part}" if part else isolated(name)
            for name, part in zip(names, parts, strict=True)
        ]
        sides.append([Isolated(one) for one in told_apart(said)])
    return [Both(en, zh) for en, zh in zip(*sides, strict=True)]


def _part(sheet: Sheet) -> Both:
    """What stands after the name of a candidate that did not sit the whole test."""
    header = sheet.header
    said: list[Text] = []
    if header.limit is not None:
        said.append(say("sat.first", count=f"{header.limit:,}"))
    elif _chosen(header):
        said.append(say("sat.chosen", count=f"{len(sheet.units):,}"))
    if header.without is not None:
        said.append(say("sat.without", what=noun(header.without)))
    if header.cross is not None:
        said.append(say("sat.cross", cross=header.cross))
    if header.rewrite is not None:
        said.append(say("sat.rewrite", rewrite=header.rewrite))
    if not said and header.covers:
        said.append(header.covers)
    if not said:
        return Both("", "")
    return say("sat.beside", part=joined(said, zh="、"))


def coverage(sheet: Sheet) -> list[Text]:
    """The same in clauses of a sentence."""
    header, unit = sheet.header, sheet.kind.unit_noun
    said: list[Text] = []
    if header.limit is not None:
        said.append(say("summary.first_units", units=counted(header.limit, unit)))
    elif _chosen(header):
        said.append(say("summary.chosen_units", units=counted(len(sheet.units), unit)))
    if header.without is not None:
        said.append(say("summary.without", what=noun(header.without)))
    if header.cross is not None:
        said.append(say("summary.cross", cross=header.cross))
    if header.rewrite is not None:
        said.append(say("summary.rewrite", rewrite=header.rewrite))
    if not said and header.covers:
        said.append(say("summary.covers", covers=header.covers))
    return said


def _chosen(header: MarksheetHeader) -> bool:
    return header.covers is not None and "chosen units" in header.covers


# People, or a test's references: what the figure beside the machine's is called.


AUTHORS = "authors"


def whose(test: MarkedTest, method: str | None) -> str:
    """The group of strings that tells of the figure."""
    return "references" if test.people == AUTHORS and method != PANEL else "people"


def say_whose(test: MarkedTest, method: str | None, name: str, /, **values: object) -> Both:
    """A text of that group; what is true of both stands under people alone."""
    return say(_key(test, method, name), **values)


def say_whose_html(test: MarkedTest, method: str | None, name: str, /, **values: object) -> Both:
    """The same for texts that hold markup."""
    return say_html(_key(test, method, name), **values)


def _key(test: MarkedTest, method: str | None, name: str) -> str:
    group = whose(test, method)
    return f"{group}.{name}" if name in table()[group] else f"people.{name}"
