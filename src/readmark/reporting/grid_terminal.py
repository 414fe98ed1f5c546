"""Standings in a terminal: as many groups of columns side by side as it has room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core.display import GAP, folded, plain_table
from readmark.reporting.standings_grid import GridGroup, grid

if TYPE_CHECKING:
    from readmark.reporting.standings import Standings

WIDEST = 30
WIDEST_HEAD = 11
"""The width of a group's head: there are several groups, so they are folded sooner than names."""
UNDER = "\nn {}"
"""How many units a mark counts, under it."""
FEWER = "n: the units that a mark counts, where they are not all"


def show(console: Console, table: Standings) -> None:
    """Print the standings, one table under another where the terminal is too narrow."""
    people = [row for row in table.rows if row.method is not None]
    short = {}
    if len(people) == 1 and table.layout == "smart":  # a head has less room than a row
        short[people[0].name] = people[0].name.partition(" (")[0]
        console.print(f"{short[people[0].name]}: {people[0].method}")
    laid_out = grid(table)
    groups = [replace(group, head=short.get(group.head, group.head)) for group in laid_out.groups]
    room = console.width - sum(map(_group_width, groups))
    room -= sum(max(map(cell_len, (head, *texts))) + GAP for head, texts in laid_out.left[1:])
    widest = max(WIDEST, room - GAP)  # names are folded only where there is no room for them
    words = sum(
        max(_width(text, widest) for text in (head, *texts)) + GAP
        for head, texts in (*laid_out.left, *laid_out.right)
    )
    for batch in _fitting(groups, console.width - words):
        heads = _bottom_aligned(
            [
                f"{folded(group.head, WIDEST_HEAD)}\n{folded(column, WIDEST)}"
                for group in batch
                for column in group.columns
            ]
        )
        above = "\n" * heads[0].count("\n")
        left = [above + head for head, _ in laid_out.left]
        right = [above + head for head, _ in laid_out.right]
        printed = plain_table(*left, *heads, *right)
        for index in range(laid_out.rows):
            names = [folded(texts[index], widest) for _, texts in laid_out.left]
            cells = (cell.over(UNDER) for group in batch for cell in group.cells[index])
            after = [folded(texts[index], widest) for _, texts in laid_out.right]
            printed.add_row(*names, *cells, *after)
        console.print(printed)
    if laid_out.fewer:
        console.print(FEWER)
    for line in laid_out.below:
        console.print(Text(line))


def _fitting(groups: Sequence[GridGroup], room: int) -> Iterator[list[GridGroup]]:
    """Groups side by side as far as they fit, one at the least."""
    batch: list[GridGroup] = []
    used = 0
    for group in groups:
        width = _group_width(group)
        if batch and used + width > room:
            yield batch
            batch, used = [], 0
        batch.append(group)
        used += width
    if batch:
        yield batch


def _group_width(group: GridGroup) -> int:
    """The columns of a terminal that a group takes."""
    least = max(_width(group.head, WIDEST_HEAD), len("100.00"))
    widths = [max(least, _width(column, WIDEST)) for column in group.columns]
    for cells in group.cells:
        under = (max(map(cell_len, cell.over(UNDER).split("\n"))) for cell in cells)
        widths = [max(pair) for pair in zip(widths, under, strict=True)]
    return sum(widths) + GAP * len(widths)


def _bottom_aligned(heads: Sequence[str]) -> list[str]:
    """Heads of as many lines each, so that their last lines stand side by side."""
    most = max(head.count("\n") for head in heads)
    return ["\n" * (most - head.count("\n")) + head for head in heads]


def _width(text: str, most: int) -> int:
    """How wide a text is once it is folded."""
    return min(cell_len(text), most)
