"""Standings in every medium: a terminal, Markdown, CSV, HTML; JSON is their own.

Layout ``cmrc`` has one row per candidate and one column per split and metric (CMRC 2018, Table 2);
``smart`` one row per level and one column per candidate and metric (SMART, tables 2 and 3). A board
is laid out like the first, with what is known of submissions to the left and right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.csv_text import SheetCell, csv_text
from readmark.core.display import ABSENT, GAP, folded, html_table, plain_table
from readmark.core.latex import latex_comment, latex_table
from readmark.core.markdown import markdown_table
from readmark.core.unvalidated import FOOTNOTE, SIGN

if TYPE_CHECKING:
    from readmark.reporting.standings import Standing, StandingMark, StandingMetric, Standings

OVERALL = "overall"
WHOLE = "all"
"""What a test without splits is called."""
WIDEST = 30
WIDEST_HEAD = 11
UNDER, INLINE = "\nn {}", " (n {})"
"""How many units a mark counts: under it in a terminal, next to it in Markdown."""
SEEN = "†"
"""Stands after the name of a candidate that learnt from what it was marked on."""
FEWER = "n: the units that a mark counts, where they are not all"
_HEADS = {"em": "EM", "f1": "F1"}


def split_name(name: str) -> str:
    """A split's name in a head; records without a split have none."""
    return name or WHOLE


def metric_head(name: str) -> str:
    """A metric's name in a head."""
    return _HEADS.get(name, name)


# What every medium prints: words to the left, groups of marks, words to the right.


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
    made = grid_by_candidate(table) if table.layout == "cmrc" else grid_by_level(table)
    return replace(made, below=_lines_below(table))


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


# The media.


def show(console: Console, table: Standings) -> None:
    """For a terminal: as many groups side by side as it has room for."""
    people = [row for row in table.rows if row.method is not None]
    short = {}
    if len(people) == 1 and table.layout == "smart":  # a head has less room than a row
        short[people[0].name] = people[0].name.partition(" (")[0]
        console.print(f"{short[people[0].name]}: {people[0].method}")
    made = grid(table)
    groups = [replace(group, head=short.get(group.head, group.head)) for group in made.groups]
    room = console.width - sum(_taken(group) for group in groups)
    room -= sum(max(map(cell_len, (head, *texts))) + GAP for head, texts in made.left[1:])
    widest = max(WIDEST, room - GAP)  # names are folded only where there is no room for them
    left = sum(
        max(_width(one, widest) for one in (head, *texts)) + GAP for head, texts in made.left
    )
    for shown in _fitting(groups, console.width - left):
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
            cells = (cell.over(UNDER) for group in shown for cell in group.cells[index])
            printed.add_row(*names, *cells)
        console.print(printed)
    if made.fewer:
        console.print(FEWER)
    for line in made.below:
        console.print(Text(line))


def grid_markdown(made: Grid) -> str:
    """A pipe table; what a candidate did not sit is a dash."""
    heads, *rows = _text_rows(made)
    printed = markdown_table(heads, rows, words=len(made.left))
    return printed + "".join(f"\n{line}\n" for line in made.below)


def grid_latex(made: Grid) -> str:
    """A table of booktabs, with what stands below it as comments."""
    heads, *rows = _text_rows(made)
    printed = latex_table(heads, rows, words=len(made.left))
    return printed + "".join(f"\n{latex_comment(line)}" for line in made.below)


def grid_html(made: Grid) -> str:
    """For a notebook."""
    heads, *rows = _text_rows(made)
    return html_table(heads, rows) + "".join(f"<p>{escape(line)}</p>" for line in made.below)


def _text_rows(made: Grid) -> list[list[str]]:
    """The heads, then a row of texts each; a mark with the units it counts where they are fewer."""
    heads = [head for head, _ in made.left]
    heads += [f"{group.head} {column}" for group in made.groups for column in group.columns]
    heads += [head for head, _ in made.right]
    rows = [
        [
            *(texts[index] for _, texts in made.left),
            *(cell.over(INLINE) for group in made.groups for cell in group.cells[index]),
            *(texts[index] for _, texts in made.right),
        ]
        for index in range(made.rows)
    ]
    return [heads, *rows]


SheetColumns = Sequence[tuple[str, Sequence[SheetCell]]]
"""Columns of a sheet: a head, and a word or number for every row."""


def grid_csv(made: Grid) -> str:
    """Commas; what a candidate did not sit is left empty.

    A mark that counts fewer units than there are has a column of units after its own.
    """
    columns: list[tuple[str, Sequence[SheetCell]]] = [*made.left]
    for group in made.groups:
        for index, name in enumerate(group.columns):
            head, cells = f"{group.head} {name}", [row[index] for row in group.cells]
            marks = [None if cell.text == ABSENT else Decimal(cell.text) for cell in cells]
            columns.append((head, marks))
            if any(cell.fewer for cell in cells):
                counts = [
                    cell.units if cell.text != ABSENT or cell.fewer else None for cell in cells
                ]
                columns.append((f"{head} n", counts))
    return _sheet(columns, made.rows)


def grid_exact_csv(made: Grid, left: SheetColumns, right: SheetColumns) -> str:
    """Commas and every digit, a mark's interval included, between columns of facts."""
    columns: list[tuple[str, Sequence[SheetCell]]] = [*left]
    for group in made.groups:
        for index, name in enumerate(group.columns):
            cells = [row[index] for row in group.cells]
            for side, suffix in (("score", ""), ("low", " low"), ("high", " high")):
                figures = [
                    None if cell.mark is None else getattr(cell.mark, side) for cell in cells
                ]
                columns.append((f"{group.head} {name}{suffix}", figures))
    return _sheet([*columns, *right], made.rows)


def _sheet(columns: SheetColumns, rows: int) -> str:
    heads = [head for head, _ in columns]
    return csv_text(heads, ([cells[index] for _, cells in columns] for index in range(rows)))


# How wide a terminal's columns are.


def _fitting(groups: Sequence[GridGroup], room: int) -> Iterator[list[GridGroup]]:
    """Groups side by side as far as they fit, one at the least."""
    shown: list[GridGroup] = []
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


def _taken(group: GridGroup) -> int:
    """The columns of a terminal that a group takes."""
    least = max(_width(group.head, WIDEST_HEAD), len("100.00"))
    taken = [max(least, _width(column, WIDEST)) for column in group.columns]
    for cells in group.cells:
        under = (max(map(cell_len, cell.over(UNDER).split("\n"))) for cell in cells)
        taken = [max(pair) for pair in zip(taken, under, strict=True)]
    return sum(taken) + GAP * len(taken)


def _level(heads: Sequence[str]) -> list[str]:
    """Heads of as many lines each, so that their last lines stand side by side."""
    most = max(head.count("\n") for head in heads)
    return ["\n" * (most - head.count("\n")) + head for head in heads]


def _width(text: str, most: int) -> int:
    """How wide a text is once it is folded."""
    return min(cell_len(text), most)
