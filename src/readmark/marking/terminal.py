"""How marks and people's marks print themselves: overall, by slice, with people, error classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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
    fitting,
    headline,
    html_table,
    plain_table,
    print_signatures,
)
from readmark.core.marksheet import FOOTNOTE, SIGN, is_unvalidated
from readmark.marking.error_counts import ClassCounts, Errors, ErrorTable
from readmark.marking.marks import By, Mark, Slice
from readmark.marking.people import (
    LEAVE_ONE_OUT,
    PEOPLE,
    REFERENCES,
    ComparedWithPeople,
    PeopleComparison,
    PeopleMarks,
)
from readmark.marking.trend_values import Trends

if TYPE_CHECKING:
    from readmark.marking.results import Marks

NO_PEOPLE = "no human score: no unit has answers by two people, and no panel was given"
MOST_PEOPLE = 20
"""How many people are listed one by one unless everything is asked for."""
LEAST_UNITS = 5
"""A slice of fewer units is not worth naming."""
_EACH = {PEOPLE: "person", REFERENCES: "reference"}
_IN_TURN = {
    PEOPLE: "each person's answer against the others'",
    REFERENCES: "each reference against the others",
}
RATIOS = {"facts": "PR_F", "inferences": "PR_I"}
"""What "The DARPA Machine Reading Program" calls the ratio of a mark to people's."""


def show_marks(console: Console, result: Marks) -> None:
    """A sitting's marks and slices, a line on people, and a line on what to look at next."""
    _show_overall(console, result)
    console.print(people_line(result))
    if (line := next_line(result)) is not None:
        console.print(line)


def show_full_marks(console: Console, result: Marks) -> None:
    """A sitting's marks: overall, by slice, compared with people, and the signatures."""
    _show_overall(console, result)
    for table in result.tables.values():
        table.show(console)
    if result.people is not None:
        print_people_comparison(console, result.people, result.marks)
    else:
        console.print(NO_PEOPLE)
    console.print(result.calibration.words())
    who = result.people.who if result.people is not None else PEOPLE
    _print_errors(console, result.classes, who)
    _print_all_signatures(console, result.marks, result.slices.derived, result.classes)


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
        console.print(f"it took: {result.spent.words}")
    console.print(marks_table(result.marks, result.units, result.scores.counted))
    _print_footnote(console, result.marks)
    for name, repeated in result.scores.repeats.items():
        scale = result.marks[name].scale
        scores = ", ".join(numbers.mark(score, scale) for score in repeated.scores)
        deviation = numbers.mark(repeated.deviation, scale)
        console.print(f"{name} by repeat: {scores}; standard deviation {deviation}")
    print_slices(console, result.by)
    who = result.people.who if result.people is not None else PEOPLE
    print_trends(console, result.slices.trends, result.marks, who)
    _print_interval_notes(console, result.scores.interval_notes)


def people_line(result: Marks) -> str:
    """People's mark and the candidate's on the same units, in a line."""
    people = result.people
    if people is None or not people.marks:
        return NO_PEOPLE
    main = result.scores.main
    name = main if main in people.marks else next(iter(people.marks))
    compared, scale = people.marks[name], result.marks[name].scale
    same = "on the same sets" if people.method == LEAVE_ONE_OUT else "on the same units"
    machine = f"machine {same} {numbers.mark(compared.machine, scale)}"
    theirs = f"{people.who}: {name} {numbers.mark(compared.people, scale)}"
    if not people.has_ratios:
        return f"{theirs}; {machine}, not compared"
    if compared.difference is None:
        how = f"ratio {numbers.ratio(compared.ratio)}"
        interval = numbers.ratio_interval(compared.low, compared.high)
    else:
        how = f"difference {numbers.mark(compared.difference, scale, signed=True)}"
        interval = numbers.interval(compared.low, compared.high, scale, signed=True)
    if compared.low is not None:
        how += f" ({interval})"
    return f"{theirs}; {machine}, {how}"


def next_line(result: Marks) -> str | None:
    """What is worth looking at next: the lowest slice, else the commonest class of error."""
    if result.by:
        return _lowest_slice(result)
    options = [f"--by {field}" for field in result.slices.offered[:1]]
    options += ["--full"] if result.classes or result.people or result.tables else []
    parts = [f"more: {', '.join(options)}"] if options else []
    machine = result.classes.machine if result.classes is not None else None
    wrong = dict(list(machine.all.counts.items())[1:]) if machine is not None else {}
    if any(wrong.values()):
        commonest = max(wrong, key=lambda name: wrong[name])
        share = f"({numbers.count(wrong[commonest])} of {numbers.count(sum(wrong.values()))})"
        parts.insert(0, f"most common error: {commonest.replace('_', ' ')} {share}")
    return "; ".join(parts) or None


def _lowest_slice(result: Marks) -> str | None:
    """The slice with the worst mark, of those with enough units to have one."""
    name = result.scores.main
    found = [
        (mark.score, field, label, part.units, mark)
        for field, values in result.by.items()
        for label, part in values.items()
        if part.units >= LEAST_UNITS and (mark := part.marks[name]).score is not None
    ]
    if len(found) < 2:
        return None
    worst = max if result.lower_is_better(name) else min
    score, field, label, units, mark = worst(found, key=lambda row: row[0] or 0.0)
    interval = numbers.narrow_interval(mark.low, mark.high, mark.scale)
    size = counted(units, "unit")
    shown = numbers.mark(score, mark.scale)
    return f"weakest slice: {field} {label}, {name} {shown} ({interval}), {size}"


def show_short_marks(console: Console, result: Marks) -> None:
    """The headline and the marks overall: what an interpreter shows."""
    console.print(marks_headline(result))
    if result.seen is not None:
        console.print(Text(result.seen.words))
    console.print(marks_table(result.marks, result.units, result.scores.counted))
    _print_footnote(console, result.marks)


def marks_headline(result: Marks) -> Text:
    """Who sat what, and how many units were answered."""
    unanswered, failed = result.coverage.unanswered, result.coverage.errors
    missing = f", {numbers.listed_ids(unanswered)} unanswered" if unanswered else ""
    errors = f", errors: {numbers.listed_ids(failed)}" if failed else ""
    units = f"{counted(result.units, 'unit')}, {result.answered:,} answered{missing}{errors}"
    return headline(result.candidate, " on ", result.test.title, f": {units}")


def show_people(console: Console, result: PeopleMarks, *, full: bool = False) -> None:
    """People's marks: overall, by slice and by person; in full also what is wrong."""
    show_short_people(console, result)
    print_slices(console, result.by)
    print_trends(console, result.trends, result.marks, result.who)
    _print_interval_notes(console, result.interval_notes)
    if full:
        print_slices(console, {_EACH[result.who]: result.each} if result.each else {})
        _print_errors(console, result.classes, result.who)
        _print_all_signatures(console, result.marks, result.derived, result.classes)
    elif result.each:
        _print_each(console, result.each, result.who)


def _print_each(console: Console, each: Mapping[str, Slice], who: str) -> None:
    """A line for each of the first people: their units and marks."""
    table = plain_table(_EACH[who], "units", *next(iter(each.values())).marks)
    for person, own in list(each.items())[:MOST_PEOPLE]:
        marks = (numbers.mark(mark.score, mark.scale) for mark in own.marks.values())
        table.add_row(person, f"{own.units:,}", *marks)
    console.print(table)
    if len(each) > MOST_PEOPLE:
        console.print(f"and {len(each) - MOST_PEOPLE:,} others: --full lists everybody")


def show_short_people(console: Console, result: PeopleMarks) -> None:
    """The headline and people's marks overall."""
    console.print(people_headline(result))
    console.print(marks_table(result.marks, result.units, result.counted))
    _print_footnote(console, result.marks)


def people_headline(result: PeopleMarks) -> Text:
    """On which test, by which method, and how many units."""
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    units = f" ({result.method}): {counted(result.units, 'unit')}{skipped}"
    return headline(result.who, " on ", result.test.title if result.test else "the test", units)


def _signed(name: str, mark: Mark | None) -> str:
    """A metric's name, with a sign where it was not validated against people."""
    return f"{name}{SIGN}" if mark is not None and is_unvalidated(mark.signature) else name


def _print_footnote(console: Console, marks: Mapping[str, Mark]) -> None:
    if any(is_unvalidated(mark.signature) for mark in marks.values()):
        console.print(Text(FOOTNOTE))


def _print_interval_notes(console: Console, notes: Sequence[str]) -> None:
    """What there is to know of the intervals above."""
    for note in notes:
        console.print(Text(note))


def _print_errors(console: Console, errors: Errors | None, who: str) -> None:
    if errors is not None:
        print_errors(console, errors, who)


def _print_all_signatures(
    console: Console,
    marks: Mapping[str, Mark],
    derived: Mapping[str, str],
    classes: Errors | None,
) -> None:
    """The metrics', and what the error classes have beyond them."""
    said = {name: mark.signature for name, mark in marks.items()}
    print_signatures(console, said)
    print_derived(console, derived)
    if classes is not None:
        known = {part for value in said.values() for part in value.split("|")}
        own = [part for part in classes.signature.split("|") if part not in known]
        console.print(f"  error classes {'|'.join(own)}", style="dim", soft_wrap=True)


def print_derived(console: Console, derived: Mapping[str, str]) -> None:
    """What decided the values of fields that the file does not have."""
    for name, rules in derived.items():
        console.print(f"  {name} {rules}", style="dim", soft_wrap=True)


def marks_html(
    caption: str, marks: Mapping[str, Mark], by: By, units: int, counted: Mapping[str, int]
) -> str:
    """Marks and slices for a notebook: a table of all units, then one a field."""
    heads = ["metric", "score", "interval", "units"]
    rows = [
        [
            _signed(name, mark),
            numbers.mark(mark.score, mark.scale),
            numbers.interval(mark.low, mark.high, mark.scale),
            f"{counted.get(name, units):,}",
        ]
        for name, mark in marks.items()
    ]
    tables = [html_table(heads, rows, caption=caption)]
    for field, values in by.items():
        rows = [
            [
                label,
                f"{part.units:,}",
                *(numbers.mark(part.marks[name].score, mark.scale) for name, mark in marks.items()),
            ]
            for label, part in values.items()
        ]
        heads = [_signed(name, mark) for name, mark in marks.items()]
        tables.append(html_table([field, "units", *heads], rows))
    if any(is_unvalidated(mark.signature) for mark in marks.values()):
        tables.append(f"<p>{FOOTNOTE}</p>")
    return "".join(tables)


def print_slices(console: Console, by: By) -> None:
    """One table per field, one row per value: each mark over its interval, and its units."""
    for field, values in by.items():
        labels = max((cell_len(label) for label in (field, *values)), default=0)
        room = console.width - min(labels, console.width // 3) - cell_len("units") - 2 * GAP
        names = list(next(iter(values.values())).marks) if values else []
        bare = all(mark.low is None for part in values.values() for mark in part.marks.values())
        for shown in fitting(names, room):
            first = next(iter(values.values())).marks
            heads = [_signed(name, first[name]) for name in shown]
            table = plain_table(field, "units", *heads)
            for label, one in values.items():
                cells = [_slice_cell(one, name, bare=bare) for name in shown]
                table.add_row(label, f"{one.units:,}", *cells)
            console.print(table)


def print_trends(console: Console, trends: Trends, marks: Mapping[str, Mark], people: str) -> None:
    """The change of each mark from one level to the next, with its interval and p."""
    for field, metrics in trends.items():
        table = plain_table("trend", "", f"per {field}", "interval", "p")
        for name, one in metrics.items():
            scale = marks[name].scale
            for index, (whose, part) in enumerate(one.rows().items()):
                who = people if whose == PEOPLE else whose
                slope = numbers.mark(part.slope, scale, signed=True)
                interval = numbers.interval(part.low, part.high, scale, signed=True)
                label = "" if index else name
                table.add_row(label, who, slope, interval, numbers.p_value(part.p))
        console.print(table)


def _slice_cell(one: Slice, name: str, *, bare: bool) -> Text:
    """A mark over its interval; under them the units it counts, where it does not count all."""
    mark = one.marks[name]
    under = [] if bare else [numbers.narrow_interval(mark.low, mark.high, mark.scale)]
    under += [f"n {one.counted[name]:,}"] if name in one.counted else []
    shown = numbers.mark(mark.score, mark.scale)
    return Text(shown).append("".join(f"\n{line}" for line in under), "dim")


def print_people_comparison(
    console: Console, people: ComparedWithPeople, marks: Mapping[str, Mark]
) -> None:
    """Machine and people on the same reference sets."""
    how = (
        f"{_IN_TURN[people.who]}, the machine against the same sets"
        if people.method == LEAVE_ONE_OUT
        else "a panel's sittings and the machine's, against the key"
    )
    skipped = f", {people.skipped} skipped" if people.skipped else ""
    units = f"{counted(people.units, 'unit')}{skipped}"
    console.print(f"compared with {people.who} ({people.method}: {how}): {units}")
    differing = [name for name, one in people.marks.items() if one.difference is not None]
    for how, names in (
        ("ratio", [name for name in people.marks if name not in differing]),
        ("difference", differing),
    ):
        if names:
            console.print(_people_comparison_table(people, how, names, marks, console.width))
    known = {
        name: RATIOS[base] for name in people.marks if (base := name.partition("(")[0]) in RATIOS
    }
    if known:
        told = ", ".join(f"{ratio} that of {name}" for name, ratio in known.items())
        theirs = "people's" if people.who == PEOPLE else "the references'"
        console.print(f"of the ratios to {theirs}, {told}")


def _people_comparison_table(
    people: ComparedWithPeople,
    how: str,
    names: Sequence[str],
    overall: Mapping[str, Mark],
    width: int,
) -> Table:
    """Some metrics overall and by slice: by the ratio, or where that means nothing the difference.

    Long names are wrapped at their words.
    """
    table = plain_table("", "units", "metric", "machine", people.who, how, "interval")
    rows = [("all", people.units, people.marks)]
    rows += [
        (f"{field} {label}", part.units, part.marks)
        for field, values in people.by.items()
        for label, part in values.items()
    ]
    metrics = max(cell_len(word) for name in names for word in name.split("_"))
    interval = "0.00 to 0.00" if how == "ratio" else "+00.00 to +00.00"
    used = sum(map(len, ("units", "machine", people.who, how, interval)))
    room = max(width - used - metrics - 6 * GAP, LEAST_LABEL)
    for label, units, marks in rows:
        for index, name in enumerate(names):
            said = name.replace("_", " ")
            first = broken_at_words(label, room) if index == 0 else ""
            table.add_row(
                first,
                str(units),
                said,
                *_people_comparison_cells(marks[name], how, overall[name].scale),
            )
    return table


def marks_table(
    marks: Mapping[str, Mark], units: int = 0, counted: Mapping[str, int] | None = None
) -> Table:
    """Scores with their intervals, and how many units each is of where that is not all."""
    table = plain_table("metric", "score", "interval", *(("units",) if counted else ()))
    for name, mark in marks.items():
        of = (f"{counted.get(name, units):,}",) if counted else ()
        score = Text(numbers.mark(mark.score, mark.scale), "bold")
        interval = numbers.interval(mark.low, mark.high, mark.scale)
        table.add_row(_signed(name, mark), score, interval, *of)
    return table


def _people_comparison_cells(one: PeopleComparison, how: str, scale: float) -> list[str]:
    cells = [
        numbers.mark(score, scale) + ("" if score is None or units is None else f"\nn {units:,}")
        for score, units in (
            (one.machine, one.machine_units),
            (one.people, one.people_units),
        )
    ]
    if how == "ratio":
        return [*cells, numbers.ratio(one.ratio), numbers.ratio_interval(one.low, one.high)]
    difference = numbers.mark(one.difference, scale, signed=True)
    return [*cells, difference, numbers.interval(one.low, one.high, scale, signed=True)]


# Error classes in a terminal: one row per class, the candidate's counts next to people's.


SAME_SETS = "same sets"


def print_errors(console: Console, errors: Errors, who: str = PEOPLE) -> None:
    """Counts and shares overall, counts by slice, and the gap between EM and F1."""
    tables = [
        error_table
        for error_table in (errors.machine, errors.people, errors.machine_on_same_sets)
        if error_table is not None
    ]
    if not tables:
        return
    names = shown_classes(tables)
    console.print(errors_headline(errors, who))
    console.print(_overall(errors, names, who))
    for whose, table in (("machine", errors.machine), (who, errors.people)):
        for field, values in table.by.items() if table is not None else ():
            _print_slices(console, f"{field}: {whose}", values, names)


def errors_headline(errors: Errors, who: str = PEOPLE) -> str:
    """Whose answers are counted, and how people's are."""
    if errors.people is None:
        return "error classes: units by what is wrong with the answer"
    if errors.method != LEAVE_ONE_OUT:
        return "error classes, people's as the mean of the panel's sittings"
    if errors.machine is None:
        return f"error classes (leave-one-out), as the mean over {who}"
    return f"error classes; same sets and {who}: against the leave-one-out sets, as means"


def shown_classes(tables: Sequence[ErrorTable]) -> list[str]:
    """The first two classes, right and nearly right, and the others that have answers."""
    return [
        name
        for index, name in enumerate(tables[0].all.counts)
        if index < 2 or any(table.all.counts[name] for table in tables)
    ]


def _overall(errors: Errors, names: Sequence[str], who: str) -> Table:
    heads: list[tuple[str, ErrorTable, bool]] = []
    if errors.machine is not None:
        heads.append(("machine", errors.machine, True))
    if errors.machine_on_same_sets is not None:
        heads.append((SAME_SETS, errors.machine_on_same_sets, False))
    if errors.people is not None:
        heads.append((who, errors.people, errors.machine_on_same_sets is None))
    columns = [part for head, _, counts in heads for part in ((head, "%") if counts else (head,))]
    columns = [f"{column} %" if column == SAME_SETS else column for column in columns]
    if errors.machine_on_same_sets is not None:
        columns[-1] = f"{who} %"
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
            name.replace("_", " "),
            [
                (numbers.count(error_table.all.counts[name]), percent(error_table.all, name))
                for _, error_table, _ in heads
            ],
        )
    row(
        "units",
        [
            (numbers.count(error_table.all.units), numbers.count(error_table.all.units))
            for _, error_table, _ in heads
        ],
    )
    for label, value in (("F1 − EM", "gap"), ("of it boundary", "boundary_gap")):
        gaps = [getattr(error_table.all, value) for _, error_table, _ in heads]
        if any(gap is not None for gap in gaps):
            row(label, [("", numbers.mark(gap, 100)) for gap in gaps])
    return table


def _print_slices(
    console: Console, corner: str, values: Mapping[str, ClassCounts], names: Sequence[str]
) -> None:
    """A column a value of a field."""
    first = max(cell_len(one) for one in (corner, *(name.replace("_", " ") for name in names)))
    room = console.width - first - GAP
    for shown in fitting(list(values), room, least=len("1,234.5")):
        table = plain_table(corner, *shown)
        for name in names:
            cells = [numbers.count(values[label].counts[name]) for label in shown]
            table.add_row(name.replace("_", " "), *cells)
        table.add_row("units", *(numbers.count(values[label].units) for label in shown))
        if any(value.gap is not None for value in values.values()):
            table.add_row("F1 − EM", *(numbers.mark(values[label].gap, 100) for label in shown))
        console.print(table)


def percent(one: ClassCounts, name: str) -> str:
    """A class's share of the units."""
    share = one.share(name)
    return numbers.percent(share).removesuffix("%")
