"""Marksheets read back: everything that the page is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.arrays import Floats
from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.marksheet import (
    MarkedRecord,
    MarkedTest,
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    checked_rows,
    read_marksheet_header,
)
from readmark.core.records import Labelled, Unit, distinct_names
from readmark.core.source import Source
from readmark.hooks import Kind, MetricFacts, hook
from readmark.marking.marksheets import RecordedMarks, read_marks, read_settings
from readmark.marking.metrics import LeftOutVectors, installed_metrics
from readmark.marking.people import (
    LEAVE_ONE_OUT,
    PANEL,
    PEOPLE,
    people_or_references,
)
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import ClassColumns, Classed, Tally, UnitMarks, VectorColumn
from readmark.reporting.page.words import (
    Both,
    Isolated,
    Text,
    counted,
    isolated,
    joined,
    noun,
    phrase,
    phrase_html,
    table,
)

# The closing marks of a marksheet as values: what ``mark --json`` and ``people --json`` print.


@dataclass(frozen=True, slots=True)
class ReadSheet:
    """One marksheet."""

    file: str
    header: MarksheetHeader
    kind: Kind
    settings: MarkSettings
    records: Mapping[str, Sequence[Labelled]]
    units: Sequence[MarkedUnit]
    recorded: RecordedMarks

    @property
    def name(self) -> str:
        """The file's name, without the folders of the machine that it lies on."""
        return Path(self.file).name

    @property
    def may_lead(self) -> bool:
        """Whether its candidate may come first: not on passages that it learnt from."""
        return self.header.seen is None or self.settings.count_seen

    @property
    def sat(self) -> bool:
        """Whether somebody was marked; a marksheet of people's own marks has no vectors."""
        return any(unit.vectors for unit in self.units)


def read_sheet(file: str) -> ReadSheet:
    """A marksheet, whole and of a kind that is known."""
    source = Source(file)
    if source.readmark_file != "marksheet":
        raise DataError(
            f"is {source.looks_like()}, expected a marksheet (readmark mark -o MARKSHEET)",
            file=file,
        )
    header = read_marksheet_header(file)
    settings = read_settings(header, file)
    widths = {
        name: metric.facts.width for name, metric in installed_metrics(header.metrics).items()
    }
    records: dict[str, Sequence[Labelled]] = {}
    units: list[MarkedUnit] = []
    recorded: RecordedMarks | None = None
    for number, row in checked_rows(file, header, widths):
        match row:
            case MarkedRecord():
                records[row.id] = row.shown
            case MarkedUnit():
                units.append(row)
            case MarksRow():
                recorded = read_marks(row.marks, header, file=file, where=number)
                _require_people(recorded, header, units, file=file, where=number)
    assert recorded is not None  # rows without marks are refused
    return ReadSheet(file, header, kind_named(header.kind), settings, records, units, recorded)


def _require_people(
    recorded: RecordedMarks,
    header: MarksheetHeader,
    units: Sequence[MarkedUnit],
    *,
    file: str,
    where: int,
) -> None:
    """Marks that include people need their vectors."""
    method = recorded.people.method if recorded.people is not None else recorded.method
    vectors = {LEAVE_ONE_OUT: any(unit.alone for unit in units), PANEL: bool(header.panel)}
    if method is not None and not vectors[method]:
        raise DataError(
            f"the marks row: it includes people ({method}), but no unit has their vectors",
            file=file,
            where=where,
        )


# What part of a test a candidate sat, as a label next to its name and as a clause.


def labels(names: Sequence[str], sheets: Sequence[ReadSheet]) -> list[Both]:
    """Every candidate's name with the part that it sat; names that are still equal are numbered.

    A part that several candidates sat, and nobody another, is named once for all of them.
    """
    sides = []
    shared = shared_part(sheets) is not None
    for language in range(2):
        parts = ["" if shared else (part.en, part.zh)[language] for part in map(_part, sheets)]
        named = [
            f"{isolated(name)}{part}" if part else isolated(name)
            for name, part in zip(names, parts, strict=True)
        ]
        sides.append([Isolated(distinct_name) for distinct_name in distinct_names(named)])
    return [Both(en, zh) for en, zh in zip(*sides, strict=True)]


def shared_part(sheets: Sequence[ReadSheet]) -> Both | None:
    """What part of the test all of several candidates sat, as it follows a name."""
    parts = {part.en: part for part in map(_part, sheets)}
    if len(sheets) < 2 or len(parts) != 1 or "" in parts:
        return None
    return next(iter(parts.values()))


def _part(sheet: ReadSheet) -> Both:
    """What follows the name of a candidate that did not sit the whole test."""
    header = sheet.header
    parts: list[Text] = []
    if header.limit is not None:
        parts.append(phrase("sat.first", count=f"{header.limit:,}"))
    elif _chosen(header):
        parts.append(phrase("sat.chosen", count=f"{len(sheet.units):,}"))
    if header.without is not None:
        parts.append(phrase("sat.without", what=noun(header.without)))
    if header.cross is not None:
        parts.append(phrase("sat.cross", cross=header.cross))
    if header.rewrite is not None:
        parts.append(phrase("sat.rewrite", rewrite=header.rewrite))
    if not parts and header.covers:
        parts.append(header.covers)
    if not parts:
        return Both("", "")
    return phrase("sat.beside", part=joined(parts, zh="、"))


def coverage(sheet: ReadSheet) -> list[Text]:
    """The same in clauses of a sentence."""
    header, unit = sheet.header, sheet.kind.unit_noun
    parts: list[Text] = []
    if header.limit is not None:
        parts.append(phrase("summary.first_units", units=counted(header.limit, unit)))
    elif _chosen(header):
        parts.append(phrase("summary.chosen_units", units=counted(len(sheet.units), unit)))
    if header.without is not None:
        parts.append(phrase("summary.without", what=noun(header.without)))
    if header.cross is not None:
        parts.append(phrase("summary.cross", cross=header.cross))
    if header.rewrite is not None:
        parts.append(phrase("summary.rewrite", rewrite=header.rewrite))
    if not parts and header.covers:
        parts.append(phrase("summary.covers", covers=header.covers))
    return parts


def _chosen(header: MarksheetHeader) -> bool:
    return header.covers is not None and "chosen units" in header.covers


# People, or a test's references: what the figure next to the machine's is called.


def people_phrase(test: MarkedTest, method: str | None, name: str, /, **values: object) -> Both:
    """A text of that group; texts shared by both groups are under ``people``."""
    return phrase(_key(test, method, name), **values)


def people_phrase_html(
    test: MarkedTest, method: str | None, name: str, /, **values: object
) -> Both:
    """The same for texts that hold markup."""
    return phrase_html(_key(test, method, name), **values)


def _key(test: MarkedTest, method: str | None, name: str) -> str:
    group = people_or_references(test, method)
    return f"{group}.{name}" if name in table()[group] else f"{PEOPLE}.{name}"


# Marks made again of what a marksheet records: its vectors, and the words of its signatures.


@dataclass(frozen=True, slots=True)
class Recorded:
    """A metric as far as a marksheet records it."""

    metric: Any
    rules: Mapping[str, str]

    @property
    def facts(self) -> MetricFacts:
        """What the metric declares of itself."""
        facts: MetricFacts = self.metric.facts
        return facts

    @property
    def paired(self) -> Callable[[Floats], Floats] | None:
        """What two candidates are compared by, where that is not the mark itself."""
        paired: Callable[[Floats], Floats] | None = hook(self.metric, "paired")
        return paired

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """A report never marks."""
        raise NotImplementedError("a marksheet's vectors are made when it is marked")

    def aggregate(self, sums: Floats) -> Floats:
        """The mark of sums."""
        found: Floats = self.metric.aggregate(sums)
        return found

    @property
    def score(self) -> Callable[[Floats], float] | None:
        """The mark of rows, where it is no function of sums."""
        score: Callable[[Floats], float] | None = hook(self.metric, "score")
        return score

    def signature(self) -> Mapping[str, str]:
        """The rules as the marksheet has them."""
        return self.rules


class _Fields(msgspec.Struct, frozen=True):
    """All that a marksheet records of a unit and its record."""

    fields: dict[str, Any]
    key: None = None


def recorded_metrics(sheet: ReadSheet) -> dict[str, Recorded]:
    """The marksheet's metrics that are installed here, by name."""
    return {
        name: Recorded(metric, rules_of(sheet.header.metrics[name]))
        for name, metric in installed_metrics(sheet.header.metrics).items()
    }


def rules_of(signature: str) -> dict[str, str]:
    """The part of a signature that the metric itself decides."""
    parts = [part.partition(":") for part in signature.split("|")]
    keys = [key for key, _, _ in parts]
    end = keys.index("clusters") if "clusters" in keys else len(parts)
    return {key: value for key, _, value in parts[:end] if key != "metric"}


def recorded_tally(
    sheet: ReadSheet, metrics: Mapping[str, Recorded], fields: Sequence[str]
) -> Tally:
    """The tally that marking had, as the marksheet's rows give it back."""
    tally = Tally(metrics)
    alone = any(unit.alone for unit in sheet.units)
    for name, metric in metrics.items():
        tally.vectors[name] = VectorColumn(metric.facts.width)
        if alone:
            tally.alone[name] = VectorColumn(metric.facts.width), VectorColumn(metric.facts.width)
        if sheet.header.panel:
            tally.panel[name] = [VectorColumn(metric.facts.width) for _ in sheet.header.panel]
    if sheet.header.classes is not None:
        width = len(sheet.header.classes.names) + 1
        tally.classes = ClassColumns.empty(width, alone=alone, members=len(sheet.header.panel))
    for name in fields:
        tally.fields[name] = []
    for row in sheet.units:
        record = _Fields(row.fields)
        tally.add(
            UnitMarks(
                Unit(row.id, row.group, record, record),
                row.gold,
                row.answers,
                {
                    name: row.vectors.get(name, (0.0,) * recorded.facts.width)
                    for name, recorded in metrics.items()
                },
                {
                    name: LeftOutVectors(alone.machine, alone.people, alone.each)
                    for name, alone in row.alone.items()
                }
                or None,
                row.panel or None,
                row.annotators,
                classed=_classed(row) if tally.classes is not None else None,
            )
        )
    return tally


def _classed(row: MarkedUnit) -> Classed | None:
    """A unit's error classes."""
    marked_classes = row.classes
    if marked_classes is None:
        return None
    alone = (
        (marked_classes.alone.machine, marked_classes.alone.people)
        if marked_classes.alone is not None
        else None
    )
    return Classed(marked_classes.own, alone, marked_classes.panel)
