"""EM and F1 by level, machines and people: tables 2 and 3 of SMART, for every candidate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from readmark.core.labels import in_order
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.numbers import decimal
from readmark.reporting import TABLE_METRICS
from readmark.reporting.figures.canvas import PEOPLE, Look, series
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import SectionData, WithPeople
from readmark.reporting.page.layout import Cell, Part, Table, words_cell
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sheets import people_phrase
from readmark.reporting.page.words import (
    Text,
    isolated,
    metric_words,
    named,
    noun,
    phrase,
    value_words,
)
from readmark.statistics.trends import Trend

LEVEL = "level"
"""The field of SMART's tables."""

Scores = Mapping[str, float | None]
"""By metric."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate, or people: marks overall, and the marks and units of every level."""

    name: Text
    look: Look
    overall: Scores
    levels: Mapping[str, tuple[int, Scores]]


def by_level(section: Section, people: Sequence[WithPeople]) -> Part | None:
    """One table of EM and F1, one column per level; None without levels."""
    metrics = [name for name in section.metrics if name in TABLE_METRICS]
    if LEVEL not in section.fields or not section.candidates or not metrics:
        return None
    rows = [*_candidates(section), *_people(section, people)]
    labels = sorted({label for row in rows for label in row.levels}, key=in_order)
    most = {
        label: max(row.levels[label][0] for row in rows if label in row.levels) for label in labels
    }
    units = noun(section.kind.unit_noun, several=True)
    head = [
        words_cell(phrase("head.candidate")),
        words_cell(phrase("head.metric")),
        *(Cell(value_words(LEVEL, label), under=f"n {most[label]:,}") for label in labels),
        Cell(phrase("people.all")),
    ]
    cells = [
        [
            words_cell(row.name, look=row.look),
            words_cell(metric_words(metric)),
            *(
                Cell(numbers.mark(row.levels[label][1].get(metric), 100))
                if label in row.levels
                else Cell(numbers.ABSENT)
                for label in labels
            ),
            Cell(numbers.mark(row.overall.get(metric), 100), strong=True),
        ]
        for row in rows
        for metric in metrics
    ]
    alone = any(person.method == LEAVE_ONE_OUT for person in people)
    notes = [people_phrase(section.test, LEAVE_ONE_OUT, "not_alike")] if alone else []
    tables = [Table(phrase("levels.table"), head, cells)]
    trends = _trend_rows(section, people, metrics)
    if trends:
        head = [words_cell(phrase("head.candidate")), words_cell(phrase("head.metric"))]
        head += [Cell(phrase(f"levels.{name}")) for name in ("step", "interval", "p")]
        tables.append(Table(phrase("levels.trends"), head, trends))
        records = noun(section.kind.record_noun, several=True)
        notes.append(phrase("levels.trend_note", records=records))
    return Part(
        "levels",
        phrase("part.levels"),
        lead=[phrase("levels.lead", units=units)],
        tables=tables,
        notes=notes,
    )


def _trend_rows(
    section: Section, people: Sequence[WithPeople], metrics: Sequence[str]
) -> list[list[Cell]]:
    """How marks change from level to level: of candidates, people, and between the two."""
    rows: list[list[Cell]] = []
    methods = {person.candidate.name: person.method for person in people}
    people_rows: list[list[Cell]] = []
    seen: set[str] = set()
    for index, candidate in enumerate(section.candidates):
        method = methods.get(candidate.name)
        trends = candidate.sheet.level_trends()
        found = trends.get(LEVEL, {})
        for metric in (name for name in metrics if name in found):
            one, scale = found[metric], section.scale(metric)
            if one.machine is not None:
                name = words_cell(candidate.label, look=series(index))
                rows.append([name, *_trend_cells(metric, one.machine, scale)])
            if one.difference is not None:
                less = people_phrase(section.test, method, "less", candidate=candidate.label)
                name = words_cell(less, look=series(index))
                rows.append([name, *_trend_cells(metric, one.difference, scale)])
            if one.people is not None and method is not None and f"{method} {metric}" not in seen:
                seen.add(f"{method} {metric}")
                name = words_cell(people_name(section, method), look=PEOPLE)
                people_rows.append([name, *_trend_cells(metric, one.people, scale)])
    return [*rows, *people_rows]


def _trend_cells(metric: str, one: Trend, scale: float) -> list[Cell]:
    return [
        words_cell(metric_words(metric)),
        Cell(numbers.mark(one.slope, scale, signed=True), strong=True),
        Cell(numbers.interval(one.low, one.high, scale, signed=True)),
        Cell(numbers.p_value(one.p)),
    ]


def _candidates(section: Section) -> Iterator[_Row]:
    for index, candidate in enumerate(section.candidates):
        overall = {name: mark.score for name, mark in candidate.sheet.recorded.marks.items()}
        levels = {
            label: (part.units, {name: mark.score for name, mark in part.marks.items()})
            for label, part in candidate.sheet.slices(LEVEL).items()
        }
        yield _Row(candidate.label, series(index), overall, levels)


def _people(section: Section, people: Sequence[WithPeople]) -> Iterator[_Row]:
    """People once for every way of marking them, from the first marksheet that has them."""
    seen: set[str] = set()
    for person in people:
        if person.method is None or person.method in seen:
            continue
        seen.add(person.method)
        levels = {
            label: (part.units, {name: mark.people for name, mark in part.marks.items()})
            for label, part in person.slices(LEVEL).items()
        }
        overall = {name: mark.people for name, mark in person.marks.items()}
        yield _Row(people_name(section, person.method), PEOPLE, overall, levels)
    for sheet in section.people:
        method = sheet.recorded.method
        if method is None or method in seen:
            continue
        seen.add(method)
        levels = {
            label: (part.units, {name: mark.score for name, mark in part.marks.items()})
            for label, part in sheet.recorded.slices(LEVEL).items()
        }
        overall = {name: mark.score for name, mark in sheet.recorded.marks.items()}
        yield _Row(people_name(section, method), PEOPLE, overall, levels)


def people_name(section: Section, method: str) -> Text:
    """What people's row is called."""
    return people_phrase(section.test, method, "row", method=named("method", method))


# EM and F1 by split, people first: Table 2 of CMRC 2018, as ``readmark table`` prints it.


def splits_section(shown: SectionData) -> Part | None:
    """One row per candidate, one column per split and metric; a split not sat is a dash."""
    section, table = shown.section, shown.table
    if table is None or not table.rows:
        return None
    looks = {candidate.name: series(index) for index, candidate in enumerate(section.candidates)}
    head = [
        words_cell(phrase("head.candidate")),
        *(
            Cell(isolated(split.name), under=metric_words(metric.name))
            for split, metric in table.columns.pairs()
        ),
    ]
    rows = []
    for row in table.rows:
        if row.method is None:
            first = words_cell(isolated(row.name), look=looks.get(row.name))
        else:
            first = words_cell(people_name(section, row.method), look=PEOPLE)
        marks = (
            numbers.mark(row.score(split.name, metric.name), metric.scale)
            for split, metric in table.columns.pairs()
        )
        rows.append([first, *map(Cell, marks)])
    order = (
        phrase("splits.unranked")
        if table.ranked_by is None
        else phrase("splits.ranked", split=isolated(table.ranked_by))
    )
    alone = any(row.method == LEAVE_ONE_OUT for row in table.rows)
    return Part(
        "splits",
        phrase("part.splits"),
        lead=[phrase("splits.lead"), order],
        tables=[Table(phrase("part.splits"), head, rows)],
        notes=[people_phrase(section.test, LEAVE_ONE_OUT, "not_alike")] if alone else [],
    )


# At which places the chosen options stood, where sittings recorded the order shown.


def positions_section(shown: SectionData) -> Part | None:
    """One row per candidate and place; None where no order was recorded."""
    rows, notes = [], []
    for index, candidate in enumerate(shown.section.candidates):
        found = candidate.sheet.recorded.tables.get("positions")
        if found is None:
            continue
        rows += [
            [
                words_cell(candidate.label, look=series(index)),
                words_cell(place.place),
                *map(Cell, place.shares(numbers.ABSENT)),
            ]
            for place in found.places
        ]
        notes.append(
            phrase(
                "positions.note",
                candidate=candidate.label,
                value=decimal(found.chi_square),
                freedom=str(found.freedom),
                p=numbers.p_value(found.p),
            )
        )
    if not rows:
        return None
    head = [words_cell(phrase("head.candidate")), words_cell(phrase("positions.place"))]
    head += [Cell(phrase(f"positions.{name}")) for name in ("chosen", "keyed", "right")]
    return Part(
        "positions",
        phrase("part.positions"),
        lead=[phrase("positions.lead")],
        tables=[Table(phrase("part.positions"), head, rows)],
        notes=notes,
    )


def levels_section(shown: SectionData) -> Part | None:
    """EM and F1 by level of reasoning."""
    return by_level(shown.section, shown.people)
