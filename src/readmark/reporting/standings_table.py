"""Standings as a table: in a terminal, in Markdown, or as CSV.

Layout ``cmrc`` has one row per candidate and one column per split and metric (CMRC 2018, Table 2);
``smart`` one row per level and one column per candidate and metric (SMART, tables 2 and 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.csv_text import Cell as SheetCell
from readmark.core.csv_text import csv_text
from readmark.core.display import (
    ABSENT,
    GAP,
    folded,
    html_table,
    markdown_table,
    plain_table,
)
from readmark.core.marksheet import FOOTNOTE, SIGN

if TYPE_CHECKING:
    from readmark.reporting.standings import Standing, Standings

OVERALL = "overall"
WIDEST = 30
WIDEST_HEAD = 11
UNDER, INLINE = "\nn {}", " (n {})"
"""How many units a mark counts: under it in a terminal, next to it in Markdown."""
SEEN = "†"
"""Stands after the name of a candidate that learnt from what it was marked on."""
FEWER = "n: the units that a mark counts, where they are not all"
_METRICS = {"em": "EM", "f1": "F1"}


@dataclass(frozen=True, slots=True)
class _Cell:
    """A mark in figures, how many units it counts, and whether those are fewer than there are."""

    text: str
    units: int
    fewer: bool

    def over(self, form: str) -> str:
        """The mark, with its units where they are fewer."""
        return self.text + form.format(f"{self.units:,}") if self.fewer else self.text


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns that belong together under one head: a split's, or a candidate's."""

    head: str
    columns: Sequence[str]
    cells: Callable[[int], Sequence[_Cell]]
    """The cells of a row."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """Columns of words to the left, groups of numbers, and how many rows there are."""

    left: Sequence[tuple[str, Sequence[str]]]
    groups: Sequence[_Group]
    rows: int

    @property
    def fewer(self) -> bool:
        """Whether any mark counts fewer units than there are."""
        every = (group.cells(index) for group in self.groups for index in range(self.rows))
        return any(cell.fewer for cells in every for cell in cells)


def _grid(table: Standings, layout: str) -> _Grid:
    """The table in a layout."""
    return _cmrc(table) if layout == "cmrc" else _smart(table)


def show_standings(console: Console, table: Standings, layout: str) -> None:
    """For a terminal: as many groups side by side as it has room for."""
    people = [row for row in table.rows if row.method is not None]
    short = {}
    if len(people) == 1 and layout == "smart":  # a head has less room than a row
        short[people[0].name] = people[0].name.partition(" (")[0]
        console.print(f"{short[people[0].name]}: {people[0].method}")
    made = _grid(table, layout)
    groups = [replace(group, head=short.get(group.head, group.head)) for group in made.groups]
    room = console.width - sum(_taken(group, made.rows) for group in groups)
    room -= sum(max(map(cell_len, (head, *texts))) + GAP for head, texts in made.left[1:])
    widest = max(WIDEST, room - GAP)  # names are folded only where there is no room for them
    left = sum(
        max(_width(one, widest) for one in (head, *texts)) + GAP for head, texts in made.left
    )
    for shown in _fitting(groups, made.rows, console.width - left):
        heads = _level(
            [
                f"{folded(group.head, WIDEST_HEAD)}\n{folded(column, WIDEST)}"
                for group in shown
                for column in group.columns
            ]
        )
        most = heads[0].count("\n")
        first, *more = ["\n" * most + head for head, _ in made.left]
        printed = plain_table(first, *more, *heads)
        for index in range(made.rows):
            names = [folded(texts[index], widest) for _, texts in made.left]
            cells = (cell.over(UNDER) for group in shown for cell in group.cells(index))
            printed.add_row(*names, *cells)
        console.print(printed)
    if made.fewer:
        console.print(FEWER)
    for line in _lines_below(table):
        console.print(Text(line))


def _lines_below(table: Standings) -> list[str]:
    """What explains the table: training data, unvalidated metrics, splits with few clusters."""
    return [
        *(f"{SEEN} {line}" for line in table.seen),
        *([FOOTNOTE] if table.unvalidated else []),
        *([table.few_clusters] if table.few_clusters else []),
    ]


def _name(row: Standing) -> str:
    return f"{row.name} {SEEN}" if row.seen else row.name


def as_html(table: Standings, layout: str) -> str:
    """For a notebook."""
    heads, *rows = _text_rows(table, layout)
    lines = [f"{SEEN} {line}" for line in table.seen] + [FOOTNOTE] * bool(table.unvalidated)
    return html_table(heads, rows) + "".join(f"<p>{escape(line)}</p>" for line in lines)


def as_markdown(table: Standings, layout: str) -> str:
    """A pipe table; what a candidate did not sit is a dash."""
    heads, *rows = _text_rows(table, layout)
    printed = markdown_table(heads, rows, words=1 if layout == "cmrc" else 3)
    return printed + "".join(f"\n{line}\n" for line in _lines_below(table))


def _text_rows(table: Standings, layout: str) -> list[list[str]]:
    """The heads, then a row of texts each; a mark with the units it counts where they are fewer."""
    made = _grid(table, layout)
    heads = [head for head, _ in made.left]
    heads += [f"{group.head} {column}" for group in made.groups for column in group.columns]
    rows = [
        [
            *(texts[index] for _, texts in made.left),
            *(cell.over(INLINE) for group in made.groups for cell in group.cells(index)),
        ]
        for index in range(made.rows)
    ]
    return [heads, *rows]


def as_csv(table: Standings, layout: str) -> str:
    """Commas; what a candidate did not sit is left empty.

    A mark that counts fewer units than there are has a column of units after its own.
    """
    made = _grid(table, layout)
    heads = [head for head, _ in made.left]
    rows: list[list[SheetCell]] = [
        [texts[index] for _, texts in made.left] for index in range(made.rows)
    ]
    for group in made.groups:
        columns = zip(*(group.cells(index) for index in range(made.rows)), strict=True)
        for name, cells in zip(group.columns, columns, strict=True):
            fewer = any(cell.fewer for cell in cells)
            heads += [f"{group.head} {name}"] + [f"{group.head} {name} n"] * fewer
            for row, cell in zip(rows, cells, strict=True):
                sat = cell.text != ABSENT or cell.fewer
                row.append(Decimal(cell.text) if cell.text != ABSENT else None)
                row += [cell.units if sat else None] * fewer
    return csv_text(heads, rows)


def _cmrc(table: Standings) -> _Grid:
    def group(split: str) -> _Group:
        def cells(at: int) -> list[_Cell]:
            return [_cell(table.rows[at], split, metric) for metric in table.metrics]

        return _Group(split, _heads(table), cells)

    names = [_name(row) for row in table.rows]
    return _Grid([("candidate", names)], [group(split) for split in table.splits], len(names))


def _smart(table: Standings) -> _Grid:
    places = [(split, level) for split in table.splits for level in (*table.levels, "")]
    places = [place for place in places if any(row.units(*place) for row in table.rows)]

    def group(row: Standing) -> _Group:
        def cells(at: int) -> list[_Cell]:
            split, level = places[at]
            return [_cell(row, split, metric, level) for metric in table.metrics]

        return _Group(_name(row), _heads(table), cells)

    units = [f"{max(row.units(*place) for row in table.rows):,}" for place in places]
    left = [
        ("split", [split for split, _ in places]),
        (table.field, [level or OVERALL for _, level in places]),
        ("units", units),
    ]
    return _Grid(left, [group(row) for row in table.rows], len(places))


def _cell(row: Standing, split: str, metric: str, level: str = "") -> _Cell:
    score, units = row.score(split, metric, level), row.counted(split, metric, level)
    # A judge need not be asked about people; a candidate's 0 tells a dash from a split not sat.
    told = row.method is None or score is not None
    part = row.slice(split, level)
    mark = None if part is None else part.marks.get(metric)
    shown = numbers.ABSENT if mark is None else numbers.mark(score, mark.scale)
    return _Cell(shown, units, told and units < row.units(split, level))


def _heads(table: Standings) -> list[str]:
    return [
        _METRICS.get(metric, metric) + (SIGN if metric in table.unvalidated else "")
        for metric in table.metrics
    ]


def _fitting(groups: Sequence[_Group], rows: int, room: int) -> Iterator[list[_Group]]:
    """Groups side by side as far as they fit, one at the least."""
    shown: list[_Group] = []
    used = 0
    for group in groups:
        width = _taken(group, rows)
        if shown and used + width > room:
            yield shown
            shown, used = [], 0
        shown.append(group)
        used += width
    if shown:
        yield shown


def _taken(group: _Group, rows: int) -> int:
    """The columns of a terminal that a group takes."""
    least = max(_width(group.head, WIDEST_HEAD), len("100.00"))
    taken = [max(least, _width(column, WIDEST)) for column in group.columns]
    for index in range(rows):
        under = (max(map(cell_len, cell.over(UNDER).split("\n"))) for cell in group.cells(index))
        taken = [max(pair) for pair in zip(taken, under, strict=True)]
    return sum(taken) + GAP * len(taken)


def _level(heads: Sequence[str]) -> list[str]:
    """Heads of as many lines each, so that their last lines stand side by side."""
    most = max(head.count("\n") for head in heads)
    return ["\n" * (most - head.count("\n")) + head for head in heads]


def _width(text: str, most: int) -> int:
    """How wide a text is once it is folded."""
    return min(cell_len(text), most)
