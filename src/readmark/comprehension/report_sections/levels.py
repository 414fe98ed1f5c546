"""EM and F1 by level, machines and people: tables 2 and 3 of SMART, for every candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readmark.core.labels import in_order
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.numbers import p_value
from readmark.marking import Mark, PeopleComparison, PeopleSlice, Slice
from readmark.reporting import Part, SectionData, Table
from readmark.reporting.sections import (
    PEOPLE,
    Cell,
    Look,
    Section,
    Text,
    WithPeople,
    interval,
    mark,
    metric_words,
    named,
    noun,
    phrase,
    value_words,
    words_cell,
)
from readmark.statistics.trends import Trend

LEVEL = "level"
"""The field of SMART's tables."""
METRICS = ("em", "f1")
"""Their metrics."""


class _Marks(NamedTuple):
    """The marks of some units by metric, unscaled."""

    units: int
    marks: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class _LevelsRow:
    """A candidate, or people: the marks over all units, and those of each level."""

    name: Text
    look: Look
    overall: Mapping[str, float | None]
    levels: Mapping[str, _Marks]


def levels_section(data: SectionData) -> Part | None:
    """A table of EM and F1 with a column per level, and one of trends; None without levels."""
    section, people = data.section, data.people
    metrics = [name for name in section.metrics if name in METRICS]
    if LEVEL not in section.fields or not section.candidates or not metrics:
        return None
    notes = []
    if any(person.method == LEAVE_ONE_OUT for person in people):
        notes.append(section.people_words(LEAVE_ONE_OUT, "not_alike"))
    tables = [_marks_by_level(section, people, metrics)]
    trends = _trend_rows(section, people, metrics)
    if trends:
        head = [words_cell(phrase("head.candidate")), words_cell(phrase("head.metric"))]
        head += [Cell(phrase(f"levels.{name}")) for name in ("step", "interval", "p")]
        tables.append(Table(phrase("levels.trends"), head, trends))
        records = noun(section.kind.record_noun, several=True)
        notes.append(phrase("levels.trend_note", records=records))
    units = noun(section.kind.unit_noun, several=True)
    return Part(
        "levels",
        phrase("part.levels"),
        lead=[phrase("levels.lead", units=units)],
        tables=tables,
        notes=notes,
    )


def _marks_by_level(
    section: Section, people: Sequence[WithPeople], metrics: Sequence[str]
) -> Table:
    rows = _rows(section, people)
    labels = sorted({label for row in rows for label in row.levels}, key=in_order)
    # A candidate that sat a split has fewer units: the heading has those of the fullest row.
    units = {
        label: max(row.levels[label].units for row in rows if label in row.levels)
        for label in labels
    }
    head = [
        words_cell(phrase("head.candidate")),
        words_cell(phrase("head.metric")),
        *(Cell(value_words(LEVEL, label), under=f"n {units[label]:,}") for label in labels),
        Cell(phrase("people.all")),
    ]
    cells = []
    for row in rows:
        for metric in metrics:
            scale = section.scale(metric)
            line = [words_cell(row.name, look=row.look), words_cell(metric_words(metric))]
            for label in labels:
                score = row.levels[label].marks.get(metric) if label in row.levels else None
                line.append(Cell(mark(score, scale)))
            line.append(Cell(mark(row.overall.get(metric), scale), strong=True))
            cells.append(line)
    return Table(phrase("levels.table"), head, cells)


def _trend_rows(
    section: Section, people: Sequence[WithPeople], metrics: Sequence[str]
) -> list[list[Cell]]:
    """How marks change from level to level: of candidates, of people, and of the gap between."""
    rows: list[list[Cell]] = []
    people_rows: list[list[Cell]] = []
    methods = {person.candidate.name: person.method for person in people}
    seen: set[tuple[str, str]] = set()
    for candidate in section.candidates:
        method = methods.get(candidate.name)
        by_metric = candidate.sheet.level_trends().get(LEVEL, {})
        for metric in (name for name in metrics if name in by_metric):
            trend, scale = by_metric[metric], section.scale(metric)
            if trend.machine is not None:
                name = words_cell(candidate.label, look=candidate.look)
                rows.append([name, *_trend_cells(metric, trend.machine, scale)])
            if trend.difference is not None:
                less = section.people_words(method, "less", candidate=candidate.label)
                name = words_cell(less, look=candidate.look)
                rows.append([name, *_trend_cells(metric, trend.difference, scale)])
            # People's own trend is the same beside every candidate.
            if trend.people is not None and method is not None and (method, metric) not in seen:
                seen.add((method, metric))
                name = words_cell(_name_of_people(section, method), look=PEOPLE)
                people_rows.append([name, *_trend_cells(metric, trend.people, scale)])
    return [*rows, *people_rows]


def _trend_cells(metric: str, trend: Trend, scale: float) -> list[Cell]:
    return [
        words_cell(metric_words(metric)),
        Cell(mark(trend.slope, scale, signed=True), strong=True),
        Cell(interval(trend.low, trend.high, scale, signed=True)),
        Cell(p_value(trend.p)),
    ]


def _rows(section: Section, people: Sequence[WithPeople]) -> list[_LevelsRow]:
    """Candidates, then people: a row for each method of marking them, from the first marksheet."""
    rows = [
        _row(
            candidate.label,
            candidate.look,
            candidate.sheet.recorded.marks,
            candidate.sheet.slices(LEVEL),
        )
        for candidate in section.candidates
    ]
    rows_of_people: dict[str, _LevelsRow] = {}
    for person in people:
        if person.method is not None and person.method not in rows_of_people:
            name = _name_of_people(section, person.method)
            row = _row(name, PEOPLE, person.marks, person.slices(LEVEL))
            rows_of_people[person.method] = row
    for sheet in section.people:
        recorded, method = sheet.recorded, sheet.recorded.method
        if method is not None and method not in rows_of_people:
            name = _name_of_people(section, method)
            rows_of_people[method] = _row(name, PEOPLE, recorded.marks, recorded.slices(LEVEL))
    return [*rows, *rows_of_people.values()]


def _row(
    name: Text,
    look: Look,
    marks: Mapping[str, Mark | PeopleComparison],
    slices: Mapping[str, Slice | PeopleSlice],
) -> _LevelsRow:
    levels = {label: _Marks(part.units, _scores(part.marks)) for label, part in slices.items()}
    return _LevelsRow(name, look, _scores(marks), levels)


def _scores(marks: Mapping[str, Mark | PeopleComparison]) -> dict[str, float | None]:
    """A candidate's scores, or people's where marks compare with them."""
    return {
        name: figure.people if isinstance(figure, PeopleComparison) else figure.score
        for name, figure in marks.items()
    }


def _name_of_people(section: Section, method: str) -> Text:
    return section.people_words(method, "row", method=named("method", method))
