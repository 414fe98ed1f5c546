"""EM and F1 by split, people first: Table 2 of CMRC 2018, as ``readmark table`` prints it."""

from __future__ import annotations

from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.reporting import Part, SectionData, Table
from readmark.reporting.sections import (
    PEOPLE,
    Cell,
    isolated,
    mark,
    metric_words,
    named,
    phrase,
    words_cell,
)


def splits_section(data: SectionData) -> Part | None:
    """A row per candidate, a column per split and metric; a split that was not sat has a dash."""
    section, table = data.section, data.table
    if table is None or not table.rows:
        return None
    looks = {candidate.name: candidate.look for candidate in section.candidates}
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
            method = named("method", row.method)
            name = section.people_words(row.method, "row", method=method)
            first = words_cell(name, look=PEOPLE)
        marks = (
            mark(row.score(split.name, metric.name), metric.scale)
            for split, metric in table.columns.pairs()
        )
        rows.append([first, *map(Cell, marks)])
    order = (
        phrase("splits.unranked")
        if table.ranked_by is None
        else phrase("splits.ranked", split=isolated(table.ranked_by))
    )
    notes = []
    if any(row.method == LEAVE_ONE_OUT for row in table.rows):
        notes.append(section.people_words(LEAVE_ONE_OUT, "not_alike"))
    return Part(
        "splits",
        phrase("part.splits"),
        lead=[phrase("splits.lead"), order],
        tables=[Table(phrase("part.splits"), head, rows)],
        notes=notes,
    )
