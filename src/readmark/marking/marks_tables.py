"""The tables that marks of candidates and of people share: overall, by slice, in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    GAP,
    LEAST_LABEL,
    fitting,
    folded,
    plain_table,
    print_signatures,
    room_beside,
)
from readmark.core.marksheet import PEOPLE
from readmark.core.unvalidated import FOOTNOTE, SIGN, is_unvalidated
from readmark.marking.marks import By, Mark, Slice
from readmark.marking.trend_values import Trends

if TYPE_CHECKING:
    from readmark.marking.error_counts import Errors


def print_marks(
    console: Console, marks: Mapping[str, Mark], units: int, counted: Mapping[str, int]
) -> None:
    """Scores with their intervals, and how many units each is of where that is not all."""
    table = plain_table("metric", "score", "interval", *(("units",) if counted else ()))
    for name, mark in marks.items():
        cells: list[str | Text] = [
            Text(numbers.mark(mark.score, mark.scale), "bold"),
            numbers.interval(mark.low, mark.high, mark.scale),
        ]
        if counted:
            cells.append(f"{counted.get(name, units):,}")
        table.add_row(_signed(name, mark), *cells)
    console.print(table)
    if _has_unvalidated(marks):
        console.print(Text(FOOTNOTE))


def print_slices(console: Console, by: By) -> None:
    """One table per field, one row per value: each mark over its interval, and its units."""
    for field, values in by.items():
        if not values:
            continue
        first = next(iter(values.values())).marks
        labels = max(map(cell_len, (field, *values)))
        room = console.width - min(labels, console.width // 3) - cell_len("units") - 2 * GAP
        has_intervals = any(
            mark.low is not None for part in values.values() for mark in part.marks.values()
        )
        for names in fitting(list(first), room):
            table = plain_table(field, "units", *(_signed(name, first[name]) for name in names))
            for label, part in values.items():
                cells = [_slice_cell(part, name, with_interval=has_intervals) for name in names]
                table.add_row(label, f"{part.units:,}", *cells)
            console.print(table)


def _slice_cell(part: Slice, name: str, *, with_interval: bool) -> Text:
    """A mark over its interval; under them the units it counts, where it does not count all."""
    mark = part.marks[name]
    cell = Text(numbers.mark(mark.score, mark.scale))
    if with_interval:
        cell.append(f"\n{numbers.narrow_interval(mark.low, mark.high, mark.scale)}", "dim")
    if mark.units is not None:
        cell.append(f"\nn {mark.units:,}", "dim")
    return cell


def print_trends(console: Console, trends: Trends, marks: Mapping[str, Mark], who: str) -> None:
    """The change of each mark from one level to the next, with its interval and p.

    ``who`` is what people are called: their figure may be of references.
    """
    for field, metrics in trends.items():
        columns = ["", f"per {field}", "interval", "p"]
        names: list[str] = []
        rows: list[list[str]] = []
        for name, level_trend in metrics.items():
            scale = marks[name].scale
            for index, (whose, trend) in enumerate(level_trend.rows().items()):
                names.append("" if index else name)
                rows.append(
                    [
                        who if whose == PEOPLE else whose,
                        numbers.mark(trend.slope, scale, signed=True),
                        numbers.interval(trend.low, trend.high, scale, signed=True),
                        numbers.p_value(trend.p),
                    ]
                )
        if room_beside(columns, rows, console.width) < max(map(cell_len, names)):
            # In a narrow terminal an interval stands under its slope, as in `compare`.
            columns.remove("interval")
            rows = [[whose, f"{slope}\n{interval}", p] for whose, slope, interval, p in rows]
        room = max(room_beside(columns, rows, console.width), LEAST_LABEL)
        table = plain_table("trend", *columns)
        for name, cells in zip(names, rows, strict=True):
            table.add_row(folded(name, room), *cells)
        console.print(table)


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """A line each, as it is."""
    for note in notes:
        console.print(Text(note))


def print_all_signatures(
    console: Console, marks: Mapping[str, Mark], derived: Mapping[str, str], classes: Errors | None
) -> None:
    """The metrics' signatures, and what derived fields and error classes have beyond them."""
    signatures = {name: mark.signature for name, mark in marks.items()}
    print_signatures(console, signatures)
    print_derived(console, derived)
    if classes is not None:
        shared = {part for signature in signatures.values() for part in signature.split("|")}
        rest = [part for part in classes.signature.split("|") if part not in shared]
        console.print(f"  error classes {'|'.join(rest)}", style="dim", soft_wrap=True)


def print_derived(console: Console, derived: Mapping[str, str]) -> None:
    """What decided the values of fields that the file does not have."""
    for name, rules in derived.items():
        console.print(f"  {name} {rules}", style="dim", soft_wrap=True)


def _signed(name: str, mark: Mark) -> str:
    """A metric's name, with a sign where it was not validated against people."""
    return f"{name}{SIGN}" if is_unvalidated(mark.signature) else name


def _has_unvalidated(marks: Mapping[str, Mark]) -> bool:
    return any(is_unvalidated(mark.signature) for mark in marks.values())
