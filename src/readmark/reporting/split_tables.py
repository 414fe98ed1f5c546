"""The tables of splits on a report's page: which of its sections have several splits to show."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.errors import ReadmarkError
from readmark.reporting.page.sections import Section
from readmark.reporting.side_by_side import LEVEL, TABLE_METRICS, standings_of
from readmark.reporting.split_sheets import split_sheet
from readmark.reporting.standing_columns import ORDER
from readmark.reporting.standings import Standings


def split_tables(sections: Sequence[Section]) -> dict[int, Standings]:
    """Tables by the number of the section that they stand in.

    Tests of one name, and those named after splits (dev, test), are one table, which stands with
    the first of them.
    """
    groups: dict[tuple[str, str | None, str], list[Section]] = {}
    for section in sections:
        if section.candidates and set(TABLE_METRICS) <= set(section.metrics):
            name = "" if section.test.name in ORDER else section.test.name
            key = section.kind.name, section.test.language, name
            groups.setdefault(key, []).append(section)
    tables: dict[int, Standings] = {}
    for group in groups.values():
        shared = _table(group)
        if shared is not None:
            tables[group[0].number] = shared
            continue
        for section in group:
            alone = _table([section])
            if alone is not None:
                tables[section.number] = alone
    return {number: table for number, table in tables.items() if len(table.splits) > 1}


def _table(sections: Sequence[Section]) -> Standings | None:
    """The table of some sections; None where they cannot stand in one."""
    sheets = [sheet for section in sections for sheet in section.sheets]
    try:
        return standings_of([split_sheet(sheet, LEVEL) for sheet in sheets], metrics=TABLE_METRICS)
    except ReadmarkError:
        return None
