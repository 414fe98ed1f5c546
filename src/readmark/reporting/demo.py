"""The demo's tables in a terminal: a test each, a row a candidate, the references below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from readmark.corpus.test import Test
from readmark.marking.marks import Mark
from readmark.marking.people import PeopleMarks
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison
from readmark.reporting.terminal import (
    headline,
    make_console,
    number,
    p_value,
    plain_table,
    span,
)

METRICS = 2
"""How many of a test's metrics the table has; the report has them all."""
NOTE = (
    "p: paired randomisation against the first candidate. (references): each reference against "
    "the others, leave-one-out; they were written for the demo and are no human study."
)


class DemoTest(Protocol):
    """One bundled test as the demo went through it."""

    @property
    def test(self) -> Test: ...
    @property
    def marks(self) -> Sequence[Marks]: ...
    @property
    def comparisons(self) -> Sequence[Comparison]: ...
    @property
    def people(self) -> PeopleMarks | None: ...


def print_demo(tests: Sequence[DemoTest], *, cases: int, wrong: Sequence[str]) -> None:
    """Every test's table, and whether the shipped cases got the marks they should."""
    console = make_console()
    for one in tests:
        facts, kind = one.test.facts, one.test.kind
        size = f": {facts.units} {kind.unit_noun}s, {facts.records} {_plural(kind.record_noun)}"
        console.print(headline(one.test.header.name, " ", f"({kind.name})", size))
        names = [name for name in one.marks[0].marks if "(" not in name][:METRICS]
        main = kind.main_metric
        table = plain_table("candidate", *names, f"{main} interval", "p")
        p_of = {two.b: two.decisive_p for two in one.comparisons}
        for marks in one.marks:
            row = _cells(marks.marks, names, main)
            p = p_value(p_of[marks.candidate]) if marks.candidate in p_of else ""
            table.add_row(marks.candidate, *row, p)
        if one.people is not None:
            table.add_row("(references)", *_cells(one.people.marks, names, main), "")
        console.print(table)
    if any(one.people is not None for one in tests):
        console.print(NOTE, style="dim")
    if wrong:
        console.print(f"{len(wrong)} of {cases} marking cases are marked wrong: {', '.join(wrong)}")
    else:
        console.print(f"{cases} shipped marking cases: all got the marks they should")


def print_paths(folder: Path, report: Path) -> None:
    """Where the demo left its files."""
    console = make_console()
    console.print(f"tests, sittings and marksheets: {folder}", soft_wrap=True)
    console.print(headline("report", ": ", str(report), ""), soft_wrap=True)


def _cells(found: Mapping[str, Mark], names: Sequence[str], main: str) -> list[str]:
    return [
        *(number(found[name].score) for name in names),
        span(found[main].low, found[main].high),
    ]


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"
