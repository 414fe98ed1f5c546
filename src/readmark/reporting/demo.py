"""The demo's tables in a terminal: a test each, a row a candidate, then beside the people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from rich.table import Table

from readmark.corpus.kinds import Kind
from readmark.corpus.test import Test
from readmark.marking.people import LEAVE_ONE_OUT, PANEL
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison
from readmark.reporting.folding import folded
from readmark.reporting.terminal import (
    counted,
    headline,
    make_console,
    number,
    p_value,
    plain_table,
    signed,
    span,
)

METRICS = 2
"""How many metrics the table has beside the one compared by; the report has them all."""
NAMES = 24
"""How wide the column of names may be, so that the tables have 80 columns."""
NOTE = "p: paired randomisation against the first candidate, Holm-adjusted where there are several."
REFERENCES = (
    "references: each reference against the others, leave-one-out, and each candidate against the "
    "same smaller sets, on the units that have two references or more. They were written for the "
    "demo and are no human study."
)
NOVICES = (
    "novices: the mean over the panel's judges of each one's mark. They are made up by a program "
    "and are no human study. readmark panel mark sets a rater against ratings drawn from them."
)


class DemoTest(Protocol):
    """One bundled test as the demo went through it."""

    @property
    def test(self) -> Test: ...
    @property
    def marks(self) -> Sequence[Marks]: ...
    @property
    def comparisons(self) -> Sequence[Comparison]: ...


def print_demo(tests: Sequence[DemoTest], *, cases: int, wrong: Sequence[str]) -> None:
    """Every test's tables, and whether the shipped cases got the marks they should."""
    console = make_console()
    for one in tests:
        facts, kind = one.test.facts, one.test.kind
        nouns = {kind.unit_noun: facts.units, kind.record_noun: facts.records}
        size = ": " + ", ".join(counted(several, noun) for noun, several in nouns.items())
        console.print(headline(one.test.header.name, " ", f"({kind.name})", size))
        console.print(_marks_table(one))
        beside = [marks for marks in one.marks if marks.people is not None]
        if beside:
            console.print()
            console.print(_beside_table(beside, kind))
        console.print()
    console.print(NOTE, style="dim")
    methods = {marks.people.method for one in tests for marks in one.marks if marks.people}
    if LEAVE_ONE_OUT in methods:
        console.print(REFERENCES, style="dim")
    if PANEL in methods:
        console.print(NOVICES, style="dim")
    if wrong:
        console.print(f"{len(wrong)} of {cases} marking cases are marked wrong: {', '.join(wrong)}")
    else:
        console.print(f"{cases} shipped marking cases: all got the marks they should")


def print_paths(folder: Path, report: Path) -> None:
    """Where the demo left its files."""
    console = make_console()
    console.print(f"tests, sittings and marksheets: {folder}", soft_wrap=True)
    console.print(headline("report", ": ", str(report), ""), soft_wrap=True)


def _marks_table(one: DemoTest) -> Table:
    """A row a candidate: marks of all units against all references."""
    main = one.comparisons[0].metric if one.comparisons else one.test.kind.main_metric
    others = [
        name
        for name in (one.marks[0].marks if one.marks else ())
        if "(" not in name and name != main
    ]
    names = [*others[:METRICS], main]
    heads = [name.replace("_", " ") for name in names]  # so that a long one may be wrapped
    table = plain_table("candidate", *heads, f"{main} interval", "p")
    p_of = {two.b: two.decisive_p for two in one.comparisons}
    for marks in one.marks:
        scores = [number(marks[name].score) for name in names]
        p = p_value(p_of[marks.candidate]) if marks.candidate in p_of else ""
        table.add_row(
            folded(marks.candidate, NAMES), *scores, span(marks[main].low, marks[main].high), p
        )
    return table


def _beside_table(several: Sequence[Marks], kind: Kind) -> Table:
    """Candidate and people on the same units and the same sets, and their ratio.

    Their difference where the metric is no ratio scale.
    """
    main = kind.main_metric
    whose = "references" if kind.people_from_key else "novices"
    found = [marks.people.marks.get(main) for marks in several if marks.people is not None]
    differ = any(one is not None and one.difference is not None for one in found)
    how = "difference" if differ else "ratio"
    table = plain_table(f"against {whose}", f"{kind.unit_noun}s", main, whose, how, "interval")
    for marks in several:
        if marks.people is None or main not in marks.people.marks:
            continue
        one = marks.people.marks[main]
        cells = [number(one.machine), number(one.people)]
        cells.append(signed(one.difference) if differ else number(one.ratio))
        table.add_row(
            folded(marks.candidate, NAMES),
            f"{marks.people.units:,}",
            *cells,
            span(one.low, one.high, signed if differ else number),
        )
    return table
