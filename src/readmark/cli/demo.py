"""``readmark demo``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from readmark import console as options
from readmark.core.display import (
    Result,
    counted,
    folded,
    headline,
    number,
    p_value,
    plain_table,
    signed,
    span,
)
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import load
from readmark.hooks import Kind
from readmark.marking.comparisons import compare
from readmark.marking.mark import mark
from readmark.marking.people import LEAVE_ONE_OUT, PANEL
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison
from readmark.reporting.report import report
from readmark.sitting.candidates import CANDIDATES
from readmark.sitting.runner import sit


@click.command("demo")
@click.option(
    "-o", "--output", default="out/demo", metavar="DIR", help="Folder for all output files"
)
@options.json_option
@click.pass_context
def demo_command(ctx: click.Context, output: str, as_json: bool) -> None:
    """Run every bundled candidate on the bundled tests; mark, compare and write a report.

    The bundled marking cases are checked as well. Exits with status 1 if a case does not get
    its expected marks.
    """
    done = run_demo(output, say=lambda line: options.notify([line]))
    options.print_result(done, as_json=as_json)
    ctx.exit(1 if done.wrong else 0)


# The demo's tables in a terminal: a test each, one row per candidate, then compared with people.


METRICS = 2
"""How many metrics the table has besides the one compared by; the report has them all."""
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


def _marks_table(one: DemoTest) -> Table:
    """One row per candidate: marks of all units against all references."""
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


def _people_table(several: Sequence[Marks], kind: Kind) -> Table:
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


# The shipped marking cases: made-up answers with the marks that they should get.


TOLERANCE = 5e-7
"""Marks are stated to six decimals."""


class MarkingCase(msgspec.Struct, frozen=True):
    """A made-up answer with the marks that the profile's rules give it, and why."""

    id: str
    profile: str
    answers: list[str]
    prediction: str
    em: float
    f1: float
    why: str


@dataclass(frozen=True, slots=True)
class MarkedCases:
    """The cases of one profile, marked, and those whose marks are others."""

    profile: str
    cases: list[MarkingCase]
    marks: Marks
    wrong: list[str]


def shipped_cases() -> list[MarkingCase]:
    """The cases in the bundle."""
    lines = files("readmark.bundle").joinpath("cases.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=MarkingCase) for line in lines if line.strip()]


def mark_cases() -> Iterator[MarkedCases]:
    """Mark the shipped cases, profile by profile."""
    cases = shipped_cases()
    for profile in dict.fromkeys(case.profile for case in cases):
        chosen = [case for case in cases if case.profile == profile]
        header = Header(name=f"{profile} cases", language="en", profile=profile)
        test = in_memory(header, [_passage(case) for case in chosen])
        rows: Rows = {case.id: Row(id=case.id, text=case.prediction) for case in chosen}
        sitting = Sitting(SittingHeader(candidate="made-up answers"), rows)
        marks = mark(test, sitting, metrics=["em", "f1"])
        values = marks.per_unit()
        wrong = [
            case.id
            for case in chosen
            if abs((values[case.id]["em"] or 0.0) - case.em) > TOLERANCE
            or abs((values[case.id]["f1"] or 0.0) - case.f1) > TOLERANCE
        ]
        yield MarkedCases(profile, chosen, marks, wrong)


def _passage(case: MarkingCase) -> Passage:
    key = QuestionKey(
        answers=tuple(Answer(text=text) for text in case.answers),
        unanswerable=not case.answers,
    )
    question = Question(id=case.id, text=case.why, key=key)
    return Passage(text=" / ".join(case.answers) or case.why, id=case.id, questions=(question,))


# The demo: the bundled tests, sat by every embedded candidate, marked, compared and reported.


Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DemoTest:
    """One bundled test: every candidate's marks, each against the first."""

    test: Test
    marks: list[Marks]
    comparisons: list[Comparison]
    marksheets: list[Path]


@dataclass(frozen=True, repr=False)
class Demo(Result):
    """What the demo did."""

    folder: Path
    tests: list[DemoTest]
    cases: int
    wrong: list[str]
    """Shipped marking cases that did not get the marks they should."""
    report: Path

    def as_json(self) -> dict[str, Any]:
        """The document that ``demo --json`` prints."""
        return {
            "report": str(self.report),
            "marksheets": [str(sheet) for test in self.tests for sheet in test.marksheets],
            "tests": {
                test.test.header.name: [marks.as_json(units=False) for marks in test.marks]
                for test in self.tests
            },
            "cases": {"marked": self.cases, "wrong": self.wrong},
        }

    def show(self, console: Console) -> None:
        """Print each test's tables, whether the shipped cases are marked right, and the files."""
        for test in self.tests:
            facts, kind = test.test.facts, test.test.kind
            nouns = {kind.unit_noun: facts.units, kind.record_noun: facts.records}
            size = ": " + ", ".join(counted(several, noun) for noun, several in nouns.items())
            console.print(headline(test.test.header.name, " ", f"({kind.name})", size))
            console.print(_marks_table(test))
            beside = [marks for marks in test.marks if marks.people is not None]
            if beside:
                console.print()
                console.print(_people_table(beside, kind))
            console.print()
        console.print(NOTE, style="dim")
        methods = {
            marks.people.method for test in self.tests for marks in test.marks if marks.people
        }
        if LEAVE_ONE_OUT in methods:
            console.print(REFERENCES, style="dim")
        if PANEL in methods:
            console.print(NOVICES, style="dim")
        wrong, cases = self.wrong, self.cases
        if wrong:
            said = ", ".join(wrong)
            console.print(f"{len(wrong)} of {cases} marking cases are marked wrong: {said}")
        else:
            console.print(f"{cases} shipped marking cases: all got the marks they should")
        console.print(f"tests, sittings and marksheets: {self.folder}", soft_wrap=True)
        console.print(headline("report", ": ", str(self.report), ""), soft_wrap=True)


def run_demo(folder: str | Path, *, say: Report = lambda _: None) -> Demo:
    """Go the whole path on every bundled test; files of an earlier demo are replaced."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tests = []
    for path in bundled_tests(folder):
        say(f"{path.name}: sitting and marking")
        tests.append(_through(load(path), folder))
    cases = list(mark_cases())
    wrong = [id for case in cases for id in case.wrong]
    page = folder / "report.html"
    report(*(sheet for test in tests for sheet in test.marksheets), path=page)
    return Demo(folder, tests, sum(len(case.cases) for case in cases), wrong, page)


def bundled_tests(folder: Path) -> Iterator[Path]:
    """The tests in the bundle, laid out as files that a reader of the demo can look into."""
    for resource in sorted(files("readmark.bundle").iterdir(), key=lambda one: one.name):
        if resource.name.endswith(".jsonl") and resource.name != "cases.jsonl":
            with as_file(resource) as source:
                target = folder / resource.name
                target.write_bytes(source.read_bytes())
            yield target


def bundled_people(test: Path) -> list[Path]:
    """The sittings of a bundled test's panel, where it has one, written next to the test."""
    name = f"{test.name.removesuffix('.jsonl')}.people"
    laid = []
    resource = files("readmark.bundle").joinpath(name)
    if resource.is_dir():
        target = test.with_name(name)
        target.mkdir(exist_ok=True)
        for one in sorted(resource.iterdir(), key=lambda each: each.name):
            (target / one.name).write_bytes(one.read_bytes())
            laid.append(target / one.name)
    return laid


def embedded_candidates(kind: str) -> list[str]:
    """The candidates that can sit a kind of test at once, with their variants."""
    return [
        one
        for name, entry in CANDIDATES.entries.items()
        if entry.embedded and kind in entry.kinds
        for one in (name, *entry.variants)
    ]


def _through(test: Test, folder: Path) -> DemoTest:
    stem = Path(test.file).name.removesuffix(".jsonl")
    sittings, sheets, marks = [], [], []
    by = [name for name in ("level", "type", "genre") if _has(test, name)]
    people = bundled_people(folder / Path(test.file).name)
    for candidate in embedded_candidates(test.kind.name):
        sitting = folder / f"{stem}.{candidate}.sitting.jsonl"
        sitting.unlink(missing_ok=True)
        sit(test, candidate, sitting)
        sheet = folder / f"{stem}.{candidate}.marks.jsonl"
        marks.append(mark(test, sitting, by=by, people=people, marksheet=sheet))
        sittings.append(sitting)
        sheets.append(sheet)
    # The embedded readers choose sentences: where sentences are marked they are compared by that.
    metrics = ["humsent"] if test.facts.marked else []
    compared = list(compare(test, *sittings, metrics=metrics)) if len(sittings) > 1 else []
    return DemoTest(test, marks, compared, sheets)


def _has(test: Test, field: str) -> bool:
    return any(unit.field(field) is not None for unit in test.units())
