"""EM and F1 by split, people first: Table 2 of CMRC 2018, as ``readmark table`` prints it."""

from __future__ import annotations

from typing import Protocol

from readmark.marking.people import LEAVE_ONE_OUT
from readmark.reporting import standings
from readmark.reporting.html import numbers
from readmark.reporting.html.figures.series import PEOPLE, series
from readmark.reporting.html.layout import Cell, Part, Table, words_cell
from readmark.reporting.html.parts.by_level import people_name
from readmark.reporting.html.sections import Section
from readmark.reporting.html.whose import say_whose
from readmark.reporting.html.words import isolated, metric_words, say


class Ranked(standings.Table, Protocol):
    """A table of candidates, and the split that they are ordered by."""

    @property
    def ranked_by(self) -> str | None: ...


def by_split(section: Section, table: Ranked | None) -> Part | None:
    """A row a candidate, a column a split and metric; a split that was not sat is a dash."""
    if table is None or not table.rows:
        return None
    looks = {one.name: series(at) for at, one in enumerate(section.candidates)}
    head = [
        words_cell(say("head.candidate")),
        *(
            Cell(isolated(split), under=metric_words(metric))
            for split in table.splits
            for metric in table.metrics
        ),
    ]
    rows = []
    for row in table.rows:
        if row.method is None:
            first = words_cell(isolated(row.name), look=looks.get(row.name))
        else:
            first = words_cell(people_name(section, row.method), look=PEOPLE)
        scores = (row.score(split, metric) for split in table.splits for metric in table.metrics)
        rows.append([first, *(Cell(numbers.mark(score, 100)) for score in scores)])
    order = (
        say("splits.unranked")
        if table.ranked_by is None
        else say("splits.ranked", split=isolated(table.ranked_by))
    )
    alone = any(row.method == LEAVE_ONE_OUT for row in table.rows)
    return Part(
        "splits",
        say("part.splits"),
        lead=[say("splits.lead"), order],
        tables=[Table(say("part.splits"), head, rows)],
        notes=[say_whose(section.test, LEAVE_ONE_OUT, "not_alike")] if alone else [],
    )
