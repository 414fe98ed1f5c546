"""Error classes in a terminal: one row per class, the candidate's counts next to people's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from readmark.core import numbers
from readmark.core.display import GAP, fitting, plain_table
from readmark.core.marksheet import LEAVE_ONE_OUT, PEOPLE
from readmark.marking.error_counts import ClassCounts, Errors

SAME_SETS = "same sets"


def print_errors(console: Console, errors: Errors, who: str = PEOPLE) -> None:
    """Counts and shares overall, counts by slice, and the gap between EM and F1."""
    everybody = (errors.machine, errors.people, errors.machine_on_same_sets)
    names = _shown_classes([counts for counts in everybody if counts is not None])
    if not names:
        return
    console.print(_headline(errors, who))
    console.print(_overall(errors, names, who))
    for whose, counts in (("machine", errors.machine), (who, errors.people)):
        for field, values in counts.by.items() if counts is not None else ():
            _print_slices(console, f"{field}: {whose}", values, names)


def _headline(errors: Errors, who: str) -> str:
    """Whose answers are counted, and how people's are."""
    if errors.people is None:
        return "error classes: units by what is wrong with the answer"
    if errors.method != LEAVE_ONE_OUT:
        return "error classes, people's as the mean of the panel's sittings"
    if errors.machine is None:
        return f"error classes (leave-one-out), as the mean over {who}"
    return f"error classes; same sets and {who}: against the leave-one-out sets, as means"


def _shown_classes(everybody: Sequence[ClassCounts]) -> list[str]:
    """The first two classes, right and nearly right, and the others that have answers."""
    names = everybody[0].counts if everybody else ()
    return [
        name
        for index, name in enumerate(names)
        if index < 2 or any(counts.counts[name] for counts in everybody)
    ]


def _overall(errors: Errors, names: Sequence[str], who: str) -> Table:
    """A row for each class; shares alone where the counts are of sets that overlap."""
    machine, same_sets, people = errors.machine, errors.machine_on_same_sets, errors.people
    heads: list[str] = []
    columns: list[tuple[ClassCounts, bool]] = []
    if machine is not None:
        heads += ["machine", "%"]
        columns.append((machine, True))
    if same_sets is not None:
        heads.append(f"{SAME_SETS} %")
        columns.append((same_sets, False))
    if people is not None:
        heads += [who, "%"] if same_sets is None else [f"{who} %"]
        columns.append((people, same_sets is None))
    table = plain_table("class", *heads)

    def add_row(label: str, cells: Sequence[tuple[str, str]]) -> None:
        row = []
        for (count, share), (_, has_count) in zip(cells, columns, strict=True):
            row += [count, share] if has_count else [share]
        table.add_row(label, *row)

    for name in names:
        add_row(
            name.replace("_", " "),
            [(numbers.count(counts.counts[name]), _percent(counts, name)) for counts, _ in columns],
        )
    # Twice, since the column of counts may be left out: the number stands in the one that is there.
    add_row("units", [(numbers.count(counts.units),) * 2 for counts, _ in columns])
    for label, gaps in (
        ("F1 − EM", [counts.gap for counts, _ in columns]),
        ("from boundary", [counts.boundary_gap for counts, _ in columns]),
    ):
        if any(gap is not None for gap in gaps):
            add_row(label, [("", numbers.mark(gap, 100)) for gap in gaps])
    return table


def _print_slices(
    console: Console, corner: str, values: Mapping[str, ClassCounts], names: Sequence[str]
) -> None:
    """A row for each class, a column for each value of a field."""
    classes = {name: name.replace("_", " ") for name in names}
    room = console.width - max(map(cell_len, (corner, *classes.values()))) - GAP
    for labels in fitting(list(values), room, least=len("1,234.5")):
        table = plain_table(corner, *labels)
        for name, words in classes.items():
            table.add_row(words, *(numbers.count(values[label].counts[name]) for label in labels))
        table.add_row("units", *(numbers.count(values[label].units) for label in labels))
        if any(counts.gap is not None for counts in values.values()):
            table.add_row("F1 − EM", *(numbers.mark(values[label].gap, 100) for label in labels))
        console.print(table)


def _percent(counts: ClassCounts, name: str) -> str:
    """A class's share of the units."""
    return numbers.percent(counts.share(name)).removesuffix("%")
