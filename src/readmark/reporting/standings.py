"""Standings as a table: in a terminal, in Markdown, or as CSV.

Layout ``cmrc`` has a row a candidate and a column a split and metric (CMRC 2018, Table 2);
``smart`` a row a level and a column a candidate and metric (SMART, tables 2 and 3).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rich.cells import cell_len

from readmark.reporting.folding import folded
from readmark.reporting.terminal import ABSENT, GAP, make_console, number, plain_table

LAYOUTS = ("cmrc", "smart")
FORMATS = ("text", "markdown", "csv")
OVERALL = "overall"
WIDEST = 30
WIDEST_HEAD = 11
_METRICS = {"em": "EM", "f1": "F1"}


class Row(Protocol):
    """A candidate's marks, or people's."""

    @property
    def name(self) -> str: ...
    @property
    def method(self) -> str | None:
        """How people's marks were made; None for a candidate."""

    def score(self, split: str, metric: str, level: str = "") -> float | None:
        """One score."""

    def units(self, split: str, level: str = "") -> int:
        """How many units a cell has."""


class Table(Protocol):
    """What is printed."""

    @property
    def rows(self) -> Sequence[Row]: ...
    @property
    def metrics(self) -> Sequence[str]: ...
    @property
    def splits(self) -> Sequence[str]: ...
    @property
    def field(self) -> str: ...
    @property
    def levels(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Group:
    """Columns that belong together under one head: a split's, or a candidate's."""

    head: str
    columns: Sequence[str]
    cells: Callable[[int], Sequence[str]]
    """The texts of a row."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns of words to the left, groups of numbers, and how many rows there are."""

    left: Sequence[tuple[str, Sequence[str]]]
    groups: Sequence[Group]
    rows: int


def grid(table: Table, layout: str) -> Grid:
    """The table in a layout."""
    return _cmrc(table) if layout == "cmrc" else _smart(table)


def print_standings(table: Table, layout: str) -> None:
    """For a terminal: as many groups side by side as it has room for."""
    console = make_console()
    people = [row for row in table.rows if row.method is not None]
    short = {}
    if len(people) == 1 and layout == "smart":  # a head has less room than a row
        short[people[0].name] = people[0].name.partition(" (")[0]
        console.print(f"{short[people[0].name]}: {people[0].method}")
    made = grid(table, layout)
    groups = [replace(one, head=short.get(one.head, one.head)) for one in made.groups]
    room = console.width - sum(_taken(group) for group in groups)
    room -= sum(max(map(cell_len, (head, *texts))) + GAP for head, texts in made.left[1:])
    widest = max(WIDEST, room - GAP)  # names are folded only where there is no room for them
    left = sum(
        max(_width(one, widest) for one in (head, *texts)) + GAP for head, texts in made.left
    )
    for shown in _fitting(groups, console.width - left):
        heads = _level(
            [
                f"{folded(group.head, WIDEST_HEAD)}\n{column}"
                for group in shown
                for column in group.columns
            ]
        )
        most = heads[0].count("\n")
        first, *more = ["\n" * most + head for head, _ in made.left]
        printed = plain_table(first, *more, *heads)
        for at in range(made.rows):
            names = [folded(texts[at], widest) for _, texts in made.left]
            printed.add_row(*names, *(cell for group in shown for cell in group.cells(at)))
        console.print(printed)


def as_markdown(table: Table, layout: str) -> str:
    """A pipe table; what a candidate did not sit is a dash."""
    heads, rows = _flat(grid(table, layout))
    lefts = len(grid(table, layout).left)
    rule = ["---" if at < lefts else "---:" for at in range(len(heads))]
    lines = [heads, rule, *rows]
    return "".join(
        f"| {' | '.join(one.replace('|', chr(92) + '|') for one in row)} |\n" for row in lines
    )


def as_csv(table: Table, layout: str) -> str:
    """Commas; what a candidate did not sit is left empty."""
    heads, rows = _flat(grid(table, layout))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([["" if cell == ABSENT else cell for cell in row] for row in rows])
    return stream.getvalue()


def _flat(made: Grid) -> tuple[list[str], list[list[str]]]:
    heads = [head for head, _ in made.left]
    heads += [f"{group.head} {column}" for group in made.groups for column in group.columns]
    rows = [
        [
            *(texts[at] for _, texts in made.left),
            *(cell for group in made.groups for cell in group.cells(at)),
        ]
        for at in range(made.rows)
    ]
    return heads, rows


def _cmrc(table: Table) -> Grid:
    def group(split: str) -> Group:
        def cells(at: int) -> list[str]:
            return [number(table.rows[at].score(split, metric)) for metric in table.metrics]

        return Group(split, _heads(table), cells)

    names = [row.name for row in table.rows]
    return Grid([("candidate", names)], [group(split) for split in table.splits], len(names))


def _smart(table: Table) -> Grid:
    places = [(split, level) for split in table.splits for level in (*table.levels, "")]
    places = [one for one in places if any(row.units(*one) for row in table.rows)]

    def group(row: Row) -> Group:
        def cells(at: int) -> list[str]:
            split, level = places[at]
            return [number(row.score(split, metric, level)) for metric in table.metrics]

        return Group(row.name, _heads(table), cells)

    units = [f"{max(row.units(*one) for row in table.rows):,}" for one in places]
    left = [
        ("split", [split for split, _ in places]),
        (table.field, [level or OVERALL for _, level in places]),
        ("units", units),
    ]
    return Grid(left, [group(row) for row in table.rows], len(places))


def _heads(table: Table) -> list[str]:
    return [_METRICS.get(metric, metric) for metric in table.metrics]


def _fitting(groups: Sequence[Group], room: int) -> Iterator[list[Group]]:
    """Groups side by side as far as they fit, one at the least."""
    shown: list[Group] = []
    used = 0
    for group in groups:
        width = _taken(group)
        if shown and used + width > room:
            yield shown
            shown, used = [], 0
        shown.append(group)
        used += width
    if shown:
        yield shown


def _taken(group: Group) -> int:
    """The columns of a terminal that a group takes."""
    head = _width(group.head, WIDEST_HEAD)
    return sum(max(head, cell_len(column), len("100.00")) + GAP for column in group.columns)


def _level(heads: Sequence[str]) -> list[str]:
    """Heads of as many lines each, so that their last lines stand side by side."""
    most = max(head.count("\n") for head in heads)
    return ["\n" * (most - head.count("\n")) + head for head in heads]


def _width(text: str, most: int) -> int:
    """How wide a text is once it is folded."""
    return min(cell_len(text), most)
