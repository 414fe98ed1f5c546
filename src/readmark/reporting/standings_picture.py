"""Standings as a picture: a panel for each group of columns, a dot with its interval a row."""

from __future__ import annotations

from readmark.core.dot_pictures import DrawnNumber, NumbersPanel, numbers_picture
from readmark.core.pictures import Picture
from readmark.reporting.standings_grid import Grid


def grid_picture(grid: Grid) -> Picture:
    """The marks of a grid; what was not sat, or is withheld, has no dot."""
    names = [
        " ".join(texts[index] for head, texts in grid.left if head != "units")
        for index in range(grid.rows)
    ]
    panels = []
    for group in grid.groups:
        for column, metric in enumerate(group.columns):
            rows = []
            for name, cells in zip(names, group.cells, strict=True):
                cell = cells[column]
                if cell.mark is not None and cell.mark.score is not None:
                    low, high = cell.mark.low, cell.mark.high
                    rows.append(DrawnNumber(f"{name}  {cell.text}", cell.mark.score, low, high))
            scale = group.cells[0][column].scale
            panels.append(NumbersPanel(f"{group.head} {metric}", metric, rows, scale))
    return numbers_picture(panels, ", ".join(group.head for group in grid.groups))
