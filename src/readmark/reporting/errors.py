"""Error classes in a terminal: a row a class, the candidate's counts beside people's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from readmark.marking.error_counts import ClassCounts, Errors, ErrorTable
from readmark.marking.errors import BOUNDARY, CLASSES, CORRECT
from readmark.marking.people import LEAVE_ONE_OUT
from readmark.reporting.terminal import ABSENT, GAP, fitting, number, plain_table

WORDS = {name: name.replace("_", " ") for name in CLASSES}
SAME_SETS = "same sets"
ALWAYS = (CORRECT, BOUNDARY)
"""Classes that are shown even when nothing is of them."""


def print_errors(console: Console, errors: Errors) -> None:
    """Counts and shares overall, counts by slice, and the gap between EM and F1."""
    tables = [one for one in (errors.machine, errors.people, errors.beside) if one is not None]
    if not tables:
        return
    names = shown_classes(tables)
    console.print(headline(errors))
    console.print(_overall(errors, names))
    for who, table in (("machine", errors.machine), ("people", errors.people)):
        for field, values in table.by.items() if table is not None else ():
            _print_slices(console, f"{field}: {who}", values, names)


def headline(errors: Errors) -> str:
    """Whose answers are counted, and how people's are."""
    if errors.people is None:
        return "error classes: units by what is wrong with the answer"
    if errors.method != LEAVE_ONE_OUT:
        return "error classes, people's as the mean of the panel's sittings"
    if errors.machine is None:
        return "error classes (leave-one-out), as the mean over people"
    return "error classes; same sets and people: against the leave-one-out sets, as means"


def shown_classes(tables: Sequence[ErrorTable]) -> list[str]:
    """The usual classes, and the others where anything is of them."""
    return [
        name
        for name in tables[0].all.counts
        if name in ALWAYS or any(table.all.counts[name] for table in tables)
    ]


def _overall(errors: Errors, names: Sequence[str]) -> Table:
    heads: list[tuple[str, ErrorTable, bool]] = []
    if errors.machine is not None:
        heads.append(("machine", errors.machine, True))
    if errors.beside is not None:
        heads.append((SAME_SETS, errors.beside, False))
    if errors.people is not None:
        heads.append(("people", errors.people, errors.beside is None))
    columns = [part for head, _, counts in heads for part in ((head, "%") if counts else (head,))]
    columns = [f"{one} %" if one == SAME_SETS else one for one in columns]
    if errors.beside is not None:
        columns[-1] = "people %"
    table = plain_table("class", *columns)

    def row(label: str, cells: Sequence[tuple[str, str]]) -> None:
        shown = [
            part
            for (count, share), (_, _, counts) in zip(cells, heads, strict=True)
            for part in ((count, share) if counts else (share,))
        ]
        table.add_row(label, *shown)

    for name in names:
        row(
            WORDS.get(name, name),
            [(count(one.all.counts[name]), percent(one.all, name)) for _, one, _ in heads],
        )
    row("units", [(count(one.all.units), count(one.all.units)) for _, one, _ in heads])
    for label, value in (("F1 − EM", "gap"), ("of it boundary", "boundary_gap")):
        gaps = [getattr(one.all, value) for _, one, _ in heads]
        if any(gap is not None for gap in gaps):
            row(label, [("", number(gap)) for gap in gaps])
    return table


def _print_slices(
    console: Console, corner: str, values: Mapping[str, ClassCounts], names: Sequence[str]
) -> None:
    """A column a value of a field."""
    first = max(cell_len(one) for one in (corner, *(WORDS.get(name, name) for name in names)))
    room = console.width - first - GAP
    for shown in fitting(list(values), room, least=len("1,234.5")):
        table = plain_table(corner, *shown)
        for name in names:
            cells = [count(values[label].counts[name]) for label in shown]
            table.add_row(WORDS.get(name, name), *cells)
        table.add_row("units", *(count(values[label].units) for label in shown))
        if any(one.gap is not None for one in values.values()):
            table.add_row("F1 − EM", *(number(values[label].gap) for label in shown))
        console.print(table)


def count(value: float) -> str:
    """A count; one decimal where it is a mean."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def percent(one: ClassCounts, name: str) -> str:
    """A class's share of the units."""
    share = one.share(name)
    return ABSENT if share is None else f"{100 * share:.1f}"
