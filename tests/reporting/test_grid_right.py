"""Columns of words to the right of the marks stand in every medium."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from readmark.reporting import grid_terminal
from readmark.reporting.grid_text import grid_csv, grid_markdown
from readmark.reporting.standings import StandingMark
from readmark.reporting.standings_grid import Grid, GridCell, GridGroup


@pytest.fixture
def columns() -> Grid:
    marks = [StandingMark(score, None, None) for score in (71.0, 65.5)]
    cells = [[GridCell(mark, scale=100.0, units=10, fewer=False)] for mark in marks]
    candidates = [("candidate", ["large", "small"])]
    return Grid(
        candidates, [GridGroup("dev", ["f1"], cells)], 2, right=[("note", ["tuned", "late"])]
    )


def test_csv_and_markdown_have_them(columns: Grid) -> None:
    assert grid_csv(columns).splitlines() == [
        "candidate,dev f1,note",
        "large,71.00,tuned",
        "small,65.50,late",
    ]
    assert "| tuned" in grid_markdown(columns)


def test_the_terminal_has_them(columns: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_terminal, "grid", lambda table: columns)
    console = Console(width=60, record=True)
    standings = SimpleNamespace(rows=(), layout="cmrc")
    grid_terminal.show(console, cast(Any, standings))
    printed = [line.split() for line in console.export_text().splitlines()]
    assert ["large", "71.00", "tuned"] in printed
    assert ["small", "65.50", "late"] in printed
