"""How the marks of a sitting print themselves: in short, in full, and as a headline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import counted, headline
from readmark.core.marksheet import LEAVE_ONE_OUT, PEOPLE
from readmark.marking.marks_tables import (
    print_all_signatures,
    print_marks,
    print_notes,
    print_slices,
    print_trends,
)

if TYPE_CHECKING:
    from readmark.marking.differing_slices import DifferingSlices
    from readmark.marking.results import Marks

NO_PEOPLE = "no human score: no unit has answers by two people, and no panel was given"
LEAST_UNITS = 5
"""A slice of fewer units is not worth naming."""


def show_marks(console: Console, result: Marks) -> None:
    """A sitting's marks and slices, a line on people, and a line on what to look at next."""
    _show_overall(console, result)
    console.print(_people_line(result))
    print_differing(console, result.slices.differing)
    if (line := _next_line(result)) is not None:
        console.print(line)


def show_full_marks(console: Console, result: Marks) -> None:
    """A sitting's marks: overall, by slice, compared with people, and the signatures."""
    from readmark.marking.error_table import print_errors
    from readmark.marking.people_terminal import print_people_comparison

    _show_overall(console, result)
    for table in result.tables.values():
        table.show(console)
    if result.people is not None:
        print_people_comparison(console, result.people, result.marks)
    else:
        console.print(NO_PEOPLE)
    console.print(result.calibration.words())
    if result.classes is not None:
        print_errors(console, result.classes, _who(result))
    print_all_signatures(console, result.marks, result.slices.derived, result.classes)


def show_short_marks(console: Console, result: Marks) -> None:
    """The headline and the marks overall: what an interpreter shows."""
    console.print(marks_headline(result))
    if result.seen is not None:
        console.print(Text(result.seen.words))
    print_marks(console, result.marks, result.units, result.scores.counted)


def marks_headline(result: Marks) -> Text:
    """Who sat what, and how many units were answered."""
    unanswered, failed = result.coverage.unanswered, result.coverage.errors
    missing = f", {numbers.listed_ids(unanswered)} unanswered" if unanswered else ""
    errors = f", errors: {numbers.listed_ids(failed)}" if failed else ""
    units = f"{counted(result.units, 'unit')}, {result.answered:,} answered{missing}{errors}"
    return headline(result.candidate, " on ", result.test.title, f": {units}")


def _show_overall(console: Console, result: Marks) -> None:
    """What was sat, the marks of all units and of slices, and what limits their intervals."""
    console.print(marks_headline(result))
    if result.coverage.covers:
        console.print(f"what was sat: {result.coverage.covers}")
    if result.seen is not None:
        console.print(Text(result.seen.words))
    if result.test.preparation:
        console.print(Text(f"preparation: {result.test.preparation}"))
    if result.spent.words:
        console.print(f"usage: {result.spent.words}")
    print_marks(console, result.marks, result.units, result.scores.counted)
    for name, repeated in result.scores.repeats.items():
        scale = result.marks[name].scale
        scores = ", ".join(numbers.mark(score, scale) for score in repeated.scores)
        deviation = numbers.mark(repeated.deviation, scale)
        console.print(f"{name} by repeat: {scores}; standard deviation {deviation}")
    print_slices(console, result.by)
    print_trends(console, result.slices.trends, result.marks, _who(result))
    print_notes(console, result.scores.interval_notes)


def _who(result: Marks) -> str:
    return result.people.who if result.people is not None else PEOPLE


def _people_line(result: Marks) -> str:
    """People's mark and the candidate's on the same units, in a line."""
    people = result.people
    if people is None or not people.marks:
        return NO_PEOPLE
    main = result.scores.main
    name = main if main in people.marks else next(iter(people.marks))
    compared, scale = people.marks[name], result.marks[name].scale
    same = "on the same sets" if people.method == LEAVE_ONE_OUT else "on the same units"
    machine = f"machine {same} {numbers.mark(compared.machine, scale)}"
    line = f"{people.who}: {name} {numbers.mark(compared.people, scale)}; {machine}"
    if not people.has_ratios:
        return f"{line}, not compared"
    if compared.difference is None:
        how = f"ratio {numbers.ratio(compared.ratio)}"
        interval = numbers.ratio_interval(compared.low, compared.high)
    else:
        how = f"difference {numbers.mark(compared.difference, scale, signed=True)}"
        interval = numbers.interval(compared.low, compared.high, scale, signed=True)
    return f"{line}, {how}" + (f" ({interval})" if compared.low is not None else "")


def print_differing(console: Console, differing: DifferingSlices | None) -> None:
    """The slices that differ most from the rest, or that none does."""
    if differing is None:
        return
    for part in differing.largest:
        score, rest = (numbers.mark(value, differing.scale) for value in (part.score, part.rest))
        difference = numbers.mark(part.difference, differing.scale, signed=True)
        ends = numbers.interval(part.low, part.high, differing.scale, signed=True)
        console.print(
            f"stands out: {part.field} {part.value}: {differing.metric} {score}, the rest {rest}; "
            f"difference {difference} ({ends}), {counted(part.units, 'unit')}"
        )
    looked_at = counted(differing.looked_at, "slice")
    if differing.slices:
        console.print(f"  intervals allow for {looked_at} looked at", style="dim")
    else:
        console.print(f"no slice stands out of {looked_at} looked at")


def _next_line(result: Marks) -> str | None:
    """What is worth looking at next: the weakest slice, else the most common class of error."""
    if result.by:
        return _weakest_slice(result)
    parts = []
    machine = result.classes.machine if result.classes is not None else None
    wrong = dict(list(machine.counts.items())[1:]) if machine is not None else {}
    if any(wrong.values()):
        commonest = max(wrong, key=lambda name: wrong[name])
        share = f"({numbers.count(wrong[commonest])} of {numbers.count(sum(wrong.values()))})"
        parts.append(f"most common error: {commonest.replace('_', ' ')} {share}")
    options = [f"--by {field}" for field in result.slices.offered[:1]]
    options += ["--full"] if result.classes or result.people or result.tables else []
    if options:
        parts.append(f"more: {', '.join(options)}")
    return "; ".join(parts) or None


def _weakest_slice(result: Marks) -> str | None:
    """The slice with the worst mark, of those with enough units to have one."""
    name = result.scores.main
    slices = [
        (mark.score, field, label, part.units, mark)
        for field, values in result.by.items()
        for label, part in values.items()
        if part.units >= LEAST_UNITS and (mark := part.marks[name]).score is not None
    ]
    if len(slices) < 2:
        return None
    worst = max if result.lower_is_better(name) else min
    score, field, label, units, mark = worst(slices, key=lambda row: row[0] or 0.0)
    figure = numbers.mark(score, mark.scale)
    interval = numbers.narrow_interval(mark.low, mark.high, mark.scale)
    return f"weakest slice: {field} {label}, {name} {figure} ({interval}), {counted(units, 'unit')}"
