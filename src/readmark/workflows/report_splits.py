"""The tables of splits on a report's page: which of its sections have several splits to show."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.corpus.errors import ReadmarkError
from readmark.reporting.html.parts.by_level import METRICS
from readmark.reporting.html.sections import Section
from readmark.workflows.standing_sheets import split_sheet
from readmark.workflows.standings import LEVEL, ORDER, Standings, standings_of


def split_tables(sections: Sequence[Section]) -> dict[int, Standings]:
    """Tables by the number of the section that they stand in.

    Tests of one name, and those named after splits (dev, test), are one table, which stands with
    the first of them.
    """
    groups: dict[tuple[str, str | None, str], list[Section]] = {}
    for section in sections:
        if section.candidates and set(METRICS) <= set(section.metrics):
            name = "" if section.test.name in ORDER else section.test.name
            key = section.kind.name, section.test.language, name
            groups.setdefault(key, []).append(section)
    found: dict[int, Standings] = {}
    for several in groups.values():
        table = _table(several)
        if table is not None:
            tables = {several[0].number: table}
        else:
            tables = {one.number: own for one in several if (own := _table([one])) is not None}
        found.update({at: one for at, one in tables.items() if len(one.splits) > 1})
    return found


def _table(sections: Sequence[Section]) -> Standings | None:
    """The table of some sections; None where they cannot stand in one."""
    sheets = [sheet for section in sections for sheet in section.sheets]
    try:
        return standings_of([split_sheet(sheet, LEVEL) for sheet in sheets], metrics=METRICS)
    except ReadmarkError:
        return None
