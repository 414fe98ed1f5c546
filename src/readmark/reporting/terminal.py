"""Tables for a terminal: Chinese widths aligned, colour only where there is a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from readmark.marking.marks import By, Mark
from readmark.marking.people import BesidePeople, PeopleMarks
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison

ABSENT = "–"
LEAST_WIDTH = 40


def print_marks(result: Marks) -> None:
    """A sitting's marks: overall, by slice, beside people, and the signatures."""
    console = make_console()
    missing = f", {len(result.unanswered)} unanswered" if result.unanswered else ""
    errors = f", {counted(len(result.errors), 'error')}" if result.errors else ""
    units = f"{counted(result.units, 'unit')}, {result.answered} answered{missing}{errors}"
    console.print(headline(result.candidate, " on ", result.test.name, f": {units}"))
    if result.covers:
        console.print(f"covers {result.covers} only")
    console.print(marks_table(result.marks))
    for name, one in result.repeats.items():
        scores = ", ".join(number(score) for score in one.scores)
        console.print(f"{name} by repeat: {scores}; standard deviation {number(one.deviation)}")
    print_slices(console, result.by)
    if result.people is not None:
        print_beside(console, result.people)
    else:
        console.print("no human figure: no unit has answers of two people, and no panel was given")
    print_signatures(console, {name: mark.signature for name, mark in result.marks.items()})


def print_people(result: PeopleMarks, *, test: str) -> None:
    """People's marks."""
    console = make_console()
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    units = f" ({result.method}): {counted(result.units, 'unit')}{skipped}"
    console.print(headline("people", " on ", test, units))
    console.print(marks_table(result.marks))
    print_slices(console, result.by)
    people = {person for scores in result.each.values() for person in scores}
    if people:
        table = plain_table("person", *result.each)
        for person in next(iter(result.each.values())):
            table.add_row(person, *(number(scores[person]) for scores in result.each.values()))
        console.print(table)
    print_signatures(console, {name: mark.signature for name, mark in result.marks.items()})


def print_comparisons(found: Sequence[Comparison], *, alpha: float, noun: str) -> None:
    """Each candidate against the first, with a verdict in words."""
    console = make_console()
    first = found[0]
    several = len(found) > 1
    score = f" ({number(first.score_a)})"
    console.print(headline(first.metric, ", each against ", first.a, score))
    table = plain_table(
        "candidate", "score", "difference", "interval", "p", *(["p (Holm)"] if several else [])
    )
    for one in found:
        adjusted = [p_value(one.adjusted_p)] if several else []
        table.add_row(
            one.b,
            number(one.score_b),
            signed(one.difference),
            span(one.low, one.high, signed),
            p_value(one.p),
            *adjusted,
        )
    console.print(table)
    for one in found:
        console.print(f"{one.b}: {verdict(one, alpha, noun)}")
    print_signatures(console, {first.metric: first.signature})


def verdict(one: Comparison, alpha: float, noun: str) -> str:
    """A comparison in words."""
    p = one.decisive_p
    if p is None or one.difference is None:
        said = "the difference is undefined"
    elif p < alpha:
        side = "better" if one.difference > 0 else "worse"
        said = f"{side} than {one.a} (p {p_words(p)})"
    else:
        said = f"no significant difference from {one.a} (p {p_words(p)})"
    clusters = counted(one.clusters, noun)
    said += f"; {one.discordant} of {counted(one.units, 'unit')} differ, in {clusters}"
    if one.detectable is not None:
        said += f"; a difference of {number(one.detectable)} would be found four times in five"
    return said


def print_slices(console: Console, by: By) -> None:
    """A table a field: a row a value, each mark over its interval."""
    for field, values in by.items():
        names = list(next(iter(values.values())).marks) if values else []
        table = plain_table(field, "units", *names)
        for label, one in values.items():
            cells = [
                Text(f"{number(mark.score)}\n").append(narrow_span(mark.low, mark.high), "dim")
                for mark in one.marks.values()
            ]
            table.add_row(label, str(one.units), *cells)
        console.print(table)


def print_beside(console: Console, people: BesidePeople) -> None:
    """Machine and people on the same reference sets."""
    how = (
        "each person's answer against the others', the machine against the same sets"
        if people.method == "leave-one-out"
        else "a panel's sittings and the machine's, against the key"
    )
    skipped = f", {people.skipped} skipped" if people.skipped else ""
    console.print(
        f"beside people ({people.method}: {how}): {counted(people.units, 'unit')}{skipped}"
    )
    columns = ("units", "metric", "machine", "people", "ratio", "interval")
    table = plain_table("", *columns)
    for name, one in people.marks.items():
        table.add_row("all", str(people.units), name, *_beside_cells(one))
    for field, values in people.by.items():
        for label, part in values.items():
            for name, one in part.marks.items():
                table.add_row(f"{field} {label}", str(part.units), name, *_beside_cells(one))
    console.print(table)


def marks_table(marks: Mapping[str, Mark]) -> Table:
    """Scores with their intervals."""
    table = plain_table("metric", "score", "interval")
    for name, mark in marks.items():
        table.add_row(name, Text(number(mark.score), "bold"), span(mark.low, mark.high))
    return table


def print_signatures(console: Console, signatures: Mapping[str, str]) -> None:
    """What decided the numbers: first what all share, then each metric's own."""
    parts = {name: said.split("|")[1:] for name, said in signatures.items()}
    shared = [
        part for part in next(iter(parts.values())) if all(part in one for one in parts.values())
    ]
    console.print(f"signature {'|'.join(shared)}", style="dim", soft_wrap=True)
    for name, own in parts.items():
        rest = [part for part in own if part not in shared]
        if rest:
            console.print(f"  {name} {'|'.join(rest)}", style="dim", soft_wrap=True)


def print_registry(rows: Sequence[tuple[str, str]]) -> None:
    """Names and their lines."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, summary in rows:
        table.add_row(name, summary)
    make_console().print(table)


def headline(first: str, between: str, second: str, rest: str) -> Text:
    """A line with its two subjects in bold."""
    return Text.assemble((first, "bold"), between, (second, "bold"), rest)


def make_console() -> Console:
    """Standard output; texts are printed as they are, whatever they look like."""
    console = Console(markup=False, highlight=False, emoji=False)
    if console.width < LEAST_WIDTH:
        console.width = LEAST_WIDTH
    return console


def plain_table(first: str, *columns: str) -> Table:
    """A table with a left-aligned first column and numbers to the right."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    return table


def number(value: float | None) -> str:
    """A mark with two decimals."""
    return ABSENT if value is None else f"{value:.2f}"


def signed(value: float | None) -> str:
    """A difference with its sign."""
    return ABSENT if value is None else f"{value:+.2f}"


def span(low: float | None, high: float | None, spell: object = number) -> str:
    """An interval."""
    if low is None or high is None or not callable(spell):
        return ABSENT
    return f"{spell(low)} to {spell(high)}"


def narrow_span(low: float | None, high: float | None) -> str:
    """An interval for a narrow column."""
    if low is None or high is None:
        return ABSENT
    between = "–" if low >= 0 else " to "
    return f"{low:.1f}{between}{high:.1f}"


def counted(count: int, noun: str) -> str:
    """A number with its noun in the right number."""
    plural = noun if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def p_value(p: float | None) -> str:
    """A p-value with four decimals, never shown as zero."""
    if p is None:
        return ABSENT
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def p_words(p: float) -> str:
    """A p-value after the letter p."""
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


def _beside_cells(one: object) -> list[str]:
    machine, people, ratio, low, high = (
        getattr(one, name) for name in ("machine", "people", "ratio", "low", "high")
    )
    return [number(machine), number(people), number(ratio), span(low, high)]
