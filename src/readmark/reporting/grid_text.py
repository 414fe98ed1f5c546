"""Standings as Markdown, LaTeX, HTML and CSV: what people paste, and what spreadsheets read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from readmark.core.csv_text import SheetCell, csv_text
from readmark.core.display import ABSENT
from readmark.core.latex import latex_comment, latex_table
from readmark.core.markdown import markdown_table
from readmark.core.notebook import html_line, html_table
from readmark.reporting.standings_grid import Grid

INLINE = " (n {})"
"""How many units a mark counts, next to it."""
SheetColumns = Sequence[tuple[str, Sequence[SheetCell]]]
"""Columns of a sheet: a head, and a word or number for every row."""


def grid_markdown(grid: Grid) -> str:
    """A pipe table; what a candidate did not sit is a dash."""
    heads, rows = _heads_and_rows(grid)
    printed = markdown_table(heads, rows, words=len(grid.left))
    return printed + "".join(f"\n{line}\n" for line in grid.below)


def grid_latex(grid: Grid) -> str:
    """A table of booktabs, with what stands below it as comments."""
    heads, rows = _heads_and_rows(grid)
    printed = latex_table(heads, rows, words=len(grid.left))
    return printed + "".join(f"\n{latex_comment(line)}" for line in grid.below)


def grid_html(grid: Grid) -> str:
    """For a notebook."""
    heads, rows = _heads_and_rows(grid)
    lines = (html_line(line, is_dim=False) for line in grid.below)
    return html_table(heads, rows, words=len(grid.left)) + "".join(lines)


def _heads_and_rows(grid: Grid) -> tuple[list[str], list[list[str]]]:
    """Texts; a mark has the number of units it counts where they are fewer."""
    heads = [head for head, _ in grid.left]
    heads += [f"{group.head} {column}" for group in grid.groups for column in group.columns]
    heads += [head for head, _ in grid.right]
    rows = [
        [
            *(texts[index] for _, texts in grid.left),
            *(cell.over(INLINE) for group in grid.groups for cell in group.cells[index]),
            *(texts[index] for _, texts in grid.right),
        ]
        for index in range(grid.rows)
    ]
    return heads, rows


def grid_csv(grid: Grid) -> str:
    """Commas; what a candidate did not sit is left empty.

    A mark that counts fewer units than there are has a column of units after its own.
    """
    columns: list[tuple[str, Sequence[SheetCell]]] = [*grid.left]
    for group in grid.groups:
        for index, name in enumerate(group.columns):
            head, cells = f"{group.head} {name}", [row[index] for row in group.cells]
            marks = [None if cell.text == ABSENT else Decimal(cell.text) for cell in cells]
            columns.append((head, marks))
            if any(cell.fewer for cell in cells):
                counts = [
                    cell.units if cell.text != ABSENT or cell.fewer else None for cell in cells
                ]
                columns.append((f"{head} n", counts))
    return _sheet([*columns, *grid.right], grid.rows)


def grid_exact_csv(grid: Grid, left: SheetColumns, right: SheetColumns) -> str:
    """Commas and every digit, a mark's interval included, between columns of facts."""
    columns: list[tuple[str, Sequence[SheetCell]]] = [*left]
    for group in grid.groups:
        for index, name in enumerate(group.columns):
            head, marks = f"{group.head} {name}", [row[index].mark for row in group.cells]
            columns += [
                (head, [None if mark is None else mark.score for mark in marks]),
                (f"{head} low", [None if mark is None else mark.low for mark in marks]),
                (f"{head} high", [None if mark is None else mark.high for mark in marks]),
            ]
    return _sheet([*columns, *right], grid.rows)


def _sheet(columns: SheetColumns, rows: int) -> str:
    heads = [head for head, _ in columns]
    return csv_text(heads, ([cells[index] for _, cells in columns] for index in range(rows)))
