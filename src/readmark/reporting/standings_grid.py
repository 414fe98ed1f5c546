"""Standings laid out as a grid, which every medium prints: words, groups of marks, words.

Layout ``cmrc`` has one row per candidate and one column per split and metric (CMRC 2018, Table 2);
``smart`` one row per level and one column per candidate and metric (SMART, tables 2 and 3). A board
is laid out like the first, with what is known of submissions to the left and right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from readmark.core import numbers
from readmark.core.unvalidated import FOOTNOTE, SIGN

if TYPE_CHECKING:
    from readmark.reporting.standings import Standing, StandingMark, StandingMetric, Standings

OVERALL = "overall"
WHOLE = "all"
"""What a test without splits is called."""
SEEN = "†"
"""Stands after the name of a candidate that learnt from what it was marked on."""
_HEADS = {"em": "EM", "f1": "F1"}


def split_name(name: str) -> str:
    """A split's name in a head; records without a split have none."""
    return name or WHOLE


def metric_head(name: str) -> str:
    """A metric's name in a head."""
    return _HEADS.get(name, name)


@dataclass(frozen=True, slots=True)
class GridCell:
    """A mark, how many units it counts, and whether those are fewer than there are."""

    mark: StandingMark | None
    scale: float
    units: int
    fewer: bool

    @property
    def text(self) -> str:
        """The mark in figures."""
        return numbers.ABSENT if self.mark is None else numbers.mark(self.mark.score, self.scale)

    def over(self, form: str) -> str:
        """The mark, with its units where they are fewer."""
        return self.text + form.format(f"{self.units:,}") if self.fewer else self.text


@dataclass(frozen=True, slots=True)
class GridGroup:
    """Columns of marks that belong together under one head: a split's, or a candidate's."""

    head: str
    columns: Sequence[str]
    cells: Sequence[Sequence[GridCell]]
    """By row."""


TextColumns = Sequence[tuple[str, Sequence[str]]]
"""Columns of words: a head, and a text for every row."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Standings in a layout."""

    left: TextColumns
    groups: Sequence[GridGroup]
    rows: int
    right: TextColumns = ()
    below: Sequence[str] = ()
    """Lines that explain the table."""

    @property
    def fewer(self) -> bool:
        """Whether any mark counts fewer units than there are."""
        return any(cell.fewer for group in self.groups for cells in group.cells for cell in cells)


def grid(table: Standings) -> Grid:
    """The table in its layout."""
    layout = grid_by_candidate if table.layout == "cmrc" else grid_by_level
    return replace(layout(table), below=_lines_below(table))


def grid_by_candidate(table: Standings, field: str = "") -> Grid:
    """A row for each candidate, a group for each split, or for each slice of it by a field."""
    groups = []
    for split in table.splits:
        for value in table.values(split, field) if field else ("",):
            head = split_name(split) + (f" {field} {value}" if field else "")
            cells = [_cells(table, row, split, value, field or None) for row in table.rows]
            groups.append(GridGroup(head, _heads(table), cells))
    names = [_name(row) for row in table.rows]
    return Grid([("candidate", names)], groups, len(names))


def grid_by_level(table: Standings) -> Grid:
    """A row for each split and level, a group for each candidate."""
    places = [(split, level) for split in table.splits for level in (*table.levels, "")]
    places = [place for place in places if any(row.units(*place) for row in table.rows)]
    groups = [
        GridGroup(_name(row), _heads(table), [_cells(table, row, *place) for place in places])
        for row in table.rows
    ]
    units = [f"{max(row.units(*place) for row in table.rows):,}" for place in places]
    left = [
        ("split", [split for split, _ in places]),
        (table.field, [level or OVERALL for _, level in places]),
        ("units", units),
    ]
    return Grid(left, groups, len(places))


def _cells(
    table: Standings, row: Standing, split: str, level: str, field: str | None = None
) -> list[GridCell]:
    return [_cell(row, split, metric, level, field) for metric in table.columns.metrics]


def _cell(
    row: Standing, split: str, metric: StandingMetric, level: str, field: str | None
) -> GridCell:
    mark = row.mark(split, metric.name, level, field)
    counted = row.counted(split, metric.name, level, field)
    # A judge need not be asked about people; a candidate's 0 tells a dash from a split not sat.
    is_asked = row.method is None or (mark is not None and mark.score is not None)
    fewer = is_asked and counted < row.units(split, level, field)
    return GridCell(mark, metric.scale, counted, fewer)


def _heads(table: Standings) -> list[str]:
    return [
        metric_head(metric.name) + (SIGN if metric.is_unvalidated else "")
        for metric in table.columns.metrics
    ]


def _name(row: Standing) -> str:
    return f"{row.name} {SEEN}" if row.seen else row.name


def _lines_below(table: Standings) -> list[str]:
    """What explains the table: training data, unvalidated metrics, splits with few clusters."""
    return [
        *(f"{SEEN} {line}" for line in table.seen),
        *([FOOTNOTE] if table.unvalidated else []),
        *([table.few_clusters] if table.few_clusters else []),
    ]
