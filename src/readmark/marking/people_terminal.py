"""How people's marks print themselves, and how a candidate's comparison with people does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    GAP,
    LEAST_LABEL,
    broken_at_words,
    counted,
    headline,
    plain_table,
)
from readmark.core.marksheet import LEAVE_ONE_OUT, PEOPLE, REFERENCES
from readmark.marking.error_table import print_errors
from readmark.marking.marks import Mark, Slice
from readmark.marking.marks_tables import (
    print_all_signatures,
    print_marks,
    print_notes,
    print_slices,
    print_trends,
)
from readmark.marking.people_comparison import ComparedWithPeople, PeopleComparison
from readmark.marking.people_marks import PeopleMarks

MOST_PEOPLE = 20
"""How many people are listed one by one unless everything is asked for."""
_EACH = {PEOPLE: "person", REFERENCES: "reference"}
_IN_TURN = {
    PEOPLE: "each person's answer against the others'",
    REFERENCES: "each reference against the others",
}


def show_people(console: Console, result: PeopleMarks, *, full: bool = False) -> None:
    """People's marks: overall, by slice and by person; in full also what is wrong."""
    show_short_people(console, result)
    print_slices(console, result.by)
    print_trends(console, result.trends, result.marks, result.who)
    print_notes(console, result.interval_notes)
    if full:
        print_slices(console, {_EACH[result.who]: result.each})
        if result.classes is not None:
            print_errors(console, result.classes, result.who)
        print_all_signatures(console, result.marks, result.derived, result.classes)
    elif result.each:
        _print_each(console, result.each, result.who)


def show_short_people(console: Console, result: PeopleMarks) -> None:
    """The headline and people's marks overall."""
    console.print(people_headline(result))
    print_marks(console, result.marks, result.units, result.counted)


def people_headline(result: PeopleMarks) -> Text:
    """On which test, by which method, and how many units."""
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    units = f" ({result.method}): {counted(result.units, 'unit')}{skipped}"
    return headline(result.who, " on ", result.test.title if result.test else "the test", units)


def _print_each(console: Console, each: Mapping[str, Slice], who: str) -> None:
    """A line for each of the first people: their units and marks."""
    table = plain_table(_EACH[who], "units", *next(iter(each.values())).marks)
    for name, answered in list(each.items())[:MOST_PEOPLE]:
        marks = (numbers.mark(mark.score, mark.scale) for mark in answered.marks.values())
        table.add_row(name, f"{answered.units:,}", *marks)
    console.print(table)
    if len(each) > MOST_PEOPLE:
        console.print(f"and {len(each) - MOST_PEOPLE:,} others: --full lists everybody")


def print_people_comparison(
    console: Console, people: ComparedWithPeople, marks: Mapping[str, Mark]
) -> None:
    """Machine and people on the same reference sets."""
    how = "a panel's sittings and the machine's, against the key"
    if people.method == LEAVE_ONE_OUT:
        how = f"{_IN_TURN[people.who]}, the machine against the same sets"
    skipped = f", {people.skipped} skipped" if people.skipped else ""
    units = f"{counted(people.units, 'unit')}{skipped}"
    console.print(f"compared with {people.who} ({people.method}: {how}): {units}")
    differing = [name for name, mark in people.marks.items() if mark.difference is not None]
    for what, names in (
        ("ratio", [name for name in people.marks if name not in differing]),
        ("difference", differing),
    ):
        if names:
            console.print(_comparison_table(people, what, names, marks, console.width))
    ratios = {name: ratio for name in people.marks if (ratio := PeopleComparison.ratio_name(name))}
    if ratios:
        listed = ", ".join(f"{ratio} for {name}" for name, ratio in ratios.items())
        theirs = "people's" if people.who == PEOPLE else "the references'"
        console.print(f"ratios to {theirs} marks: {listed}")


def _comparison_table(
    people: ComparedWithPeople,
    what: str,
    names: Sequence[str],
    overall: Mapping[str, Mark],
    width: int,
) -> Table:
    """Some metrics overall and by slice: by the ratio, or where that means nothing the difference.

    Long names are wrapped at their words.
    """
    heads = ("units", "metric", "machine", people.who, what, "interval")
    table = plain_table("", *heads)
    rows = [("all", people.units, people.marks)]
    rows += [
        (f"{field} {label}", part.units, part.marks)
        for field, values in people.by.items()
        for label, part in values.items()
    ]
    interval = "0.00 to 0.00" if what == "ratio" else "+00.00 to +00.00"
    widest_word = max(cell_len(word) for name in names for word in name.split("_"))
    used = sum(map(len, ("units", "machine", people.who, what, interval))) + widest_word
    room = max(width - used - len(heads) * GAP, LEAST_LABEL)
    for label, units, marks in rows:
        for index, name in enumerate(names):
            table.add_row(
                "" if index else broken_at_words(label, room),
                str(units),
                name.replace("_", " "),
                *_comparison_cells(marks[name], what, overall[name].scale),
            )
    return table


def _comparison_cells(comparison: PeopleComparison, what: str, scale: float) -> list[str]:
    """The machine's mark and people's, then the ratio or difference and its interval."""
    cells = []
    for score, units in (
        (comparison.machine, comparison.machine_units),
        (comparison.people, comparison.people_units),
    ):
        under = "" if score is None or units is None else f"\nn {units:,}"
        cells.append(numbers.mark(score, scale) + under)
    low, high = comparison.low, comparison.high
    if what == "ratio":
        return [*cells, numbers.ratio(comparison.ratio), numbers.ratio_interval(low, high)]
    difference = numbers.mark(comparison.difference, scale, signed=True)
    return [*cells, difference, numbers.interval(low, high, scale, signed=True)]
