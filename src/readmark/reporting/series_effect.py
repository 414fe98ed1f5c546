"""What rewriting does to retrieval and reading, in a terminal: a table a component."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.marking.marks import Mark
from readmark.marking.series.effect import Effect, Part
from readmark.marking.significance import Comparison
from readmark.measures.randomisation import least_p
from readmark.reporting.folding import folded
from readmark.reporting.terminal import (
    counted,
    fitting,
    headline,
    make_console,
    p_value,
    plain_table,
    print_signatures,
)

NAME = 24
"""The most columns of a strategy's name."""
STRATEGY = "strategy"
CELL = len("+0.000 (p 0.0000)")


def print_effects(found: Sequence[Effect]) -> None:
    """Every series test apart: languages have no mark in common."""
    console = make_console()
    for at, one in enumerate(found):
        if at:
            console.print()
        _print(console, one)


def _print(console: Console, one: Effect) -> None:
    left = f", {one.left_out} without an answer in a known passage left out" if one.left_out else ""
    size = f"{counted(one.questions, 'question')} in {counted(one.clusters, 'series')}{left}"
    _say(console, headline("rewriting", " of ", one.series, f": {size}"))
    more = f", {counted(one.background, 'passage')} of background among them" * bool(one.background)
    console.print(f"retrieval of {one.unit}s: {one.searched:,} ranked{more}", style="bold")
    _print_part(console, one.retrieval)
    console.print(f"reading what was retrieved, by {one.reader}", style="bold")
    _print_part(console, one.retrieved)
    console.print(f"reading the right passage, by {one.reader}", style="bold")
    _print_part(console, one.right)
    adjusted = ", Holm-adjusted" if len(one.strategies) > 2 else ""
    first = one.strategies[0]
    under = f"under a mark its interval, then the difference from {first} with its p{adjusted}"
    _say(console, Text(under, "dim"))
    notes = {
        note: None
        for part in (one.retrieval, one.retrieved, one.right)
        for against in part.differences.values()
        for difference in against.values()
        if (note := difference.interval_note)
    }
    for note in notes:
        _say(console, Text(note, "dim"))
    least = least_p(one.clusters)
    if least >= 0.01:
        few = f"{counted(one.clusters, 'series')} can give no p much below {least:.3f}"
        _say(console, Text(f"{few}, before adjustment", "dim"))
    for part in (one.retrieval, one.retrieved):
        marks = part.marks[first]
        print_signatures(console, {name: mark.signature for name, mark in marks.items()})


def _say(console: Console, text: Text) -> None:
    """A text over as many lines as it needs, none with a blank at its end."""
    for line in text.wrap(console, console.width):
        line.rstrip()
        console.print(line)


def _print_part(console: Console, part: Part) -> None:
    widest = min(NAME, max(map(cell_len, (*part.marks, STRATEGY))))
    room = console.width - widest
    for shown in fitting(part.metrics, room, least=CELL):
        table = plain_table(STRATEGY, *shown)
        for name, marks in part.marks.items():
            against = part.differences.get(name, {})
            cells = [_cell(marks[metric], against.get(metric)) for metric in shown]
            table.add_row(folded(name, NAME), *cells)
        console.print(table)


def _cell(mark: Mark, against: Comparison | None) -> Text:
    places = 3 if mark.scale == 1 else 2
    said = Text("–" if mark.score is None else f"{mark.score:.{places}f}", "bold")
    if mark.low is not None and mark.high is not None:
        said.append(f"\n{mark.low:.{places}f}–{mark.high:.{places}f}", "not bold dim")
    if against is not None and against.difference is not None:
        p = p_value(against.decisive_p)
        less = round(against.difference, places) + 0.0
        said.append(f"\n{less:+.{places}f} (p {p})", "not bold")
    return said
