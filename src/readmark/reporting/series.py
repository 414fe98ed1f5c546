"""Strategies of rewriting in a terminal: a table a weighting, at the width that there is."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console

from readmark.marking.series.tables import GOLD, Line, StrategyTable, Tables
from readmark.reporting.terminal import (
    ABSENT,
    GAP,
    counted,
    fitting,
    headline,
    make_console,
    plain_table,
    print_signatures,
)

SCORE = len("+0.000")
LESS = " - append"


def print_tables(found: Tables) -> None:
    """Every table, then what decided the numbers."""
    console = make_console()
    unkeyed = f", {found.unkeyed} without gold left out" if found.unkeyed else ""
    size = f": {counted(found.questions, 'question')}{unkeyed}"
    console.print(headline("rewriting", " of ", found.series, size))
    for table in found.tables:
        _print(console, table, found)
    if any(table.gaps for table in found.tables):
        console.print("gap: append less none", style="dim")
    if any(line.change is not None for table in found.tables for line in table.lines):
        console.print("change: the gap less that of words alone", style="dim")
    if len(found.tables) == 1:
        print_signatures(console, found.signatures)


def score(value: float | None) -> str:
    """A similarity with three decimals."""
    return ABSENT if value is None else f"{value:.3f}"


def difference(value: float | None) -> str:
    """A difference of similarities with its sign."""
    return ABSENT if value is None else f"{round(value, 3) + 0.0:+.3f}"


def _print(console: Console, table: StrategyTable, found: Tables) -> None:
    console.print(table.title, style="bold")
    columns = [*(one for one in found.strategies if one != GOLD), GOLD]
    if table.gaps:
        columns.append("gap")
        if any(line.change is not None for line in table.lines):
            columns.append("change")
    over = [f"{one}{LESS}" for one in found.rewriters]
    labels = max(cell_len(line.metric) for line in table.lines)
    room = console.width - min(labels, console.width // 3) - GAP
    for shown in fitting([*columns, *over], room, least=SCORE):
        out = plain_table("metric", *shown)
        for line in table.lines:
            out.add_row(line.metric, *(_cell(line, column) for column in shown))
        console.print(out)


def _cell(line: Line, column: str) -> str:
    if column in line.marks:
        return score(line.marks[column])
    if column in ("gap", "change"):
        return difference(line.gap if column == "gap" else line.change)
    return difference(line.gains[column.removesuffix(LESS)])
