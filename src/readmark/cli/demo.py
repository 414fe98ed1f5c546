"""``readmark demo``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from readmark import console as options
from readmark.cli.run import RECORD, SatTest, Say, carry_out
from readmark.core import numbers
from readmark.core.configuration import FILE, load_configuration, using
from readmark.core.display import (
    ABSENT,
    Result,
    headline,
    plain_table,
)
from readmark.core.errors import ReadmarkError
from readmark.core.extras import MissingExtra, require
from readmark.core.files import writing
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import as_sitting
from readmark.marking.mark import mark
from readmark.marking.people import PeopleComparison
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison


@click.command("demo")
@click.option(
    "-o", "--output", default="out/demo", metavar="DIR", help="Folder for all output files"
)
@options.json_option
@click.pass_context
def demo_command(ctx: click.Context, output: str, as_json: bool) -> None:
    """Run the bundled readers, rewriters, raters and extractors on the bundled tests.

    Writes a report.

    The bundled marking cases are checked as well. Exits with status 1 if a case does not get
    its expected marks.
    """
    with options.Ticker() as ticker:
        done = run_demo(output, say=ticker.step)
    options.print_result(done, as_json=as_json)
    ctx.exit(1 if done.wrong else 0)


# The story in a terminal: a heading, a sentence or two in plain words, then a table.


READING = "reading"
REWRITING = "series"
RATING = "readability"
TASK = "task"
LANGUAGES = {"en": "English", "zh": "Chinese"}

WELCOME = (
    "Small tests ship with Readmark, and so do a few readers. Here the readers sit the tests, and "
    "Readmark marks their answers."
)
READERS = (
    "Three readers answer {units} questions on {records} short passages, in English and in "
    "Chinese. bow and evidence choose a sentence, so what counts is whether it is the right "
    "sentence (humsent). span answers in words and also gets exact match (em) and the overlap of "
    "words (f1). p is from a paired test against bow."
)
LEVELS = (
    "Questions of level 1 repeat the words of the passage; those of level 4 take several steps "
    "of reasoning. The references take the place of people here: each is marked against the "
    "others, and every reader against the same sets, where a question has two or more. They were "
    "written for the demo and do not come from a study of people."
)
REWRITERS = (
    "In a series, a question such as {question} makes sense only after the ones before it. "
    "A rewriter makes it stand alone: {rewrite}. jaccard is 1 where a rewrite has all the words "
    "and pairs of words of a gold rewrite, and no others."
)
RATERS = (
    "Raters give each of {units} passages one to five stars. pearson is the correlation with the "
    "experts' mean. A program made up the panel, so this shows the procedure, not how people rate."
)
EXTRACTORS = (
    "Extractors read {records} short texts about the lives of invented people into statements and "
    "answer {units} formal queries from them: patterns with patterns that people wrote, induced "
    "with those that it learns from other annotated texts. facts is the F score of answers that "
    "the text states, inferences that of answers that follow by rules. The people are made up: "
    "the gold with omissions and slips."
)
DERIVED = "An answer that no sentence states, and why {candidate} gives it:"
NEXT = {
    'readmark ask passage.txt "Who built it?"': "one question on a text of yours",
    "readmark mark test.json answers.json": "your system's answers, in SQuAD's format or others",
    "readmark compare test.json a.json b.json": "is one of two systems better?",
}


def _print_reading(console: Console, tests: Sequence[DemoTest]) -> None:
    facts = tests[0].test.facts
    _heading(console, 1, "Reading comprehension")
    console.print(READERS.format(units=facts.units, records=facts.records))
    for test in tests:
        console.print()
        console.print(_readers_table(test))
    _print_example(console, tests[0])
    console.print()
    console.print(LEVELS)
    for test in tests:
        console.print()
        console.print(_levels_table(test))


def _readers_table(one: DemoTest) -> Table:
    """Sentence readers by the sentence alone, the others by their words as well."""
    table = plain_table(_language(one), "humsent", "interval", "p", "em", "f1")
    p_of = {comparison.b: comparison.decisive_p for comparison in one.comparisons}
    for marks in one.marks:
        humsent = marks["humsent"]
        p = numbers.p_value(p_of[marks.candidate]) if marks.candidate in p_of else ""
        words = [numbers.mark(marks[name].score, 100) for name in ("em", "f1")]
        cells = words if marks.candidate in WORD_READERS else [ABSENT, ABSENT]
        score = numbers.mark(humsent.score, humsent.scale)
        interval = numbers.interval(humsent.low, humsent.high, humsent.scale)
        table.add_row(marks.candidate, score, interval, p, *cells)
    return table


WORD_READERS = ("span",)
"""The readers that answer in words; the others choose a sentence."""


def _levels_table(one: DemoTest) -> Table:
    """Readers and references on the same units and the same sets, a column a level."""
    last = one.marks[-1].people
    levels = [*(last.by.get("level", ()) if last is not None else ()), None]
    table = plain_table(f"{_language(one)}, by level", *(level or "all" for level in levels))
    if last is None:
        return table
    units = [last.units if level is None else last.by["level"][level].units for level in levels]
    table.add_row("questions", *(f"{several:,}" for several in units))
    words = [marks for marks in one.marks if marks.candidate in WORD_READERS]
    for marks, metric in (
        *((marks, "humsent") for marks in one.marks),
        *((marks, "f1") for marks in words),
    ):
        scores = [_compared(marks, level)[metric].machine for level in levels]
        table.add_row(
            f"{marks.candidate}, {metric}", *(numbers.mark(score, 100) for score in scores)
        )
    people = [_compared(one.marks[-1], level)["f1"].people for level in levels]
    table.add_row("references, f1", *(numbers.mark(score, 100) for score in people))
    return table


def _compared(marks: Marks, level: str | None) -> Mapping[str, PeopleComparison]:
    """A candidate compared with people, at a level or overall."""
    people = marks.people
    if people is None:
        return {}
    return people.marks if level is None else people.by["level"][level].marks


def _print_example(console: Console, one: DemoTest) -> None:
    """A question that the last reader answers and the first does not."""
    console.print()
    for line in one.example:
        console.print(line, no_wrap=True, overflow="ellipsis")


def _print_rewriting(console: Console, tests: Sequence[DemoTest]) -> None:
    _heading(console, 2, "Rewriting questions of a series")
    question, rewrite = tests[0].example
    console.print(REWRITERS.format(question=question, rewrite=rewrite))
    heads = [head for test in tests for head in (f"{_language(test)}\njaccard", "\ninterval")]
    table = plain_table("\nrewriter", *heads)
    for index, marks in enumerate(tests[0].marks):
        scores = [test.marks[index]["jaccard"] for test in tests]
        cells = [
            cell
            for mark in scores
            for cell in (
                numbers.mark(mark.score, mark.scale),
                numbers.interval(mark.low, mark.high, mark.scale),
            )
        ]
        table.add_row(marks.candidate, *cells)
    console.print()
    console.print(table)


def _print_rating(console: Console, tests: Sequence[DemoTest]) -> None:
    _heading(console, 3, "Rating how easily texts read")
    for test in tests:
        console.print(RATERS.format(units=test.test.facts.units))
        table = plain_table("rater", "pearson", "interval")
        for marks in test.marks:
            mark = marks["pearson"]
            interval = numbers.interval(mark.low, mark.high, mark.scale)
            table.add_row(marks.candidate, numbers.mark(mark.score, mark.scale), interval)
        if novices := _compared(test.marks[0], None).get("pearson"):
            table.add_row("novices, on average", numbers.mark(novices.people, 1), "")
        console.print()
        console.print(table)


def _print_tasks(console: Console, tests: Sequence[DemoTest]) -> None:
    _heading(console, 4, "Reading into statements")
    facts = [test.test.facts for test in tests]
    units, records = sum(one.units for one in facts), sum(one.records for one in facts)
    console.print(EXTRACTORS.format(units=f"{units:,}", records=records))
    for test in tests:
        table = plain_table(_language(test), "facts", "interval", "inferences")
        for marks in test.marks:
            stated, inferred = marks["facts"], marks["inferences"]
            interval = numbers.interval(stated.low, stated.high, stated.scale)
            scores = [numbers.mark(one.score, one.scale) for one in (stated, inferred)]
            table.add_row(marks.candidate, scores[0], interval, scores[1])
        if people := _compared(test.marks[0], None):
            scores = [numbers.mark(people[name].people, 100) for name in ("facts", "inferences")]
            table.add_row("people, on average", scores[0], "", scores[1])
        console.print()
        console.print(table)
    for line in tests[0].example:
        console.print(line, no_wrap=True, overflow="ellipsis")


def _heading(console: Console, number: int, title: str) -> None:
    console.print()
    console.print(Text(f"{number}. {title}", "bold"))


def _language(one: DemoTest) -> str:
    language = one.test.language
    return LANGUAGES.get(language, language)


CHAPTERS = {
    READING: _print_reading,
    REWRITING: _print_rewriting,
    RATING: _print_rating,
    TASK: _print_tasks,
}
"""The story: the first part of a bundled file's name, and what is printed of such tests."""


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


# The demo: the bundled run file, with what a reader can look at.


@dataclass(frozen=True, slots=True)
class DemoTest:
    """One bundled test: every candidate's marks, each against the first."""

    chapter: str
    test: Test
    marks: list[Marks]
    comparisons: list[Comparison]
    marksheets: list[Path]
    example: list[str]
    """Lines that show an answer."""


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
        """Print the story: what was sat and how it went, then the files and what to try next."""
        console.print(WELCOME)
        chapters = 0
        for chapter, print_chapter in CHAPTERS.items():
            if tests := [test for test in self.tests if test.chapter == chapter]:
                print_chapter(console, tests)
                chapters += 1
        _heading(console, chapters + 1, "Look and try")
        wrong, cases = self.wrong, self.cases
        if wrong:
            listed = ", ".join(wrong)
            console.print(f"{len(wrong)} of {cases} marking cases are marked wrong: {listed}")
        else:
            console.print(f"{cases} shipped marking cases: all got the marks they should.")
        console.print(f"Tests, sittings and marksheets: {self.folder}", soft_wrap=True)
        console.print(headline("Report", ": ", str(self.report), ""), soft_wrap=True)
        console.print("On your own data, try next:")
        for command, purpose in NEXT.items():
            console.print(Text(f"  {command}", "bold"))
            console.print(f"      {purpose}")


def run_demo(folder: str | Path, *, say: Say = lambda words: None) -> Demo:
    """Go the whole path on every bundled test; files of an earlier demo are replaced."""
    file = lay_out(Path(folder))
    with using(file) as in_force:
        sat = carry_out(in_force.run, file, say=say)
    if sat.failures or sat.report is None:
        raise ReadmarkError("; ".join(sat.failures))
    cases = list(mark_cases())
    wrong = [id for case in cases for id in case.wrong]
    tests = [_demo_test(test) for test in sat.tests]
    return Demo(Path(folder), tests, sum(len(case.cases) for case in cases), wrong, sat.report)


def lay_out(folder: Path) -> Path:
    """Write the run file with its tests and people; nothing of an earlier demo stays."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle = files("readmark.bundle")
    text = bundle.joinpath("demo.toml").read_text(encoding="utf-8")
    if not _has_tasks():
        text = "".join(line for line in text.splitlines(keepends=True) if not _TASKS.search(line))
        text = text.replace(', "task.en.people", "task.zh.people"', "")
    for old in (*folder.glob("*.sitting.jsonl"), *folder.glob("*.marks.jsonl"), folder / RECORD):
        old.unlink(missing_ok=True)
    file = folder / FILE
    with writing(file) as stream:
        stream.write(text.encode())
    settings = load_configuration(file).run
    for name in (*settings.tests, *settings.people):
        _copy(bundle.joinpath(Path(name).name), Path(name))
    return file


_TASKS = re.compile(r'^ *"(?:task\.|patterns)')
"""Lines of the run file that are about reading tasks."""


def _copy(resource: Traversable, target: Path) -> None:
    if not resource.is_dir():
        target.write_bytes(resource.read_bytes())
        return
    target.mkdir(exist_ok=True)
    for inside in resource.iterdir():
        _copy(inside, target / inside.name)


def _has_tasks() -> bool:
    """Whether the packages are here that reading tasks need."""
    try:
        require("duckdb", "lark", "pyoxigraph")
    except MissingExtra:
        return False
    return True


def _demo_test(sat: SatTest) -> DemoTest:
    test, chapter = sat.test, sat.name.partition(".")[0]
    marks = [one.marks for one in sat.marked if one.marks is not None]
    # Some readers choose sentences: where sentences are marked all are compared by that.
    metric = "humsent" if test.facts.marked else marks[0].main_metric
    compared = [one for one in sat.comparisons or () if one.metric == metric]
    answers = [_answers(as_sitting(one.pairing.sitting, test.kind)) for one in sat.marked]
    examples = {READING: _reading_example, REWRITING: _rewriting_example, TASK: _task_example}
    example = examples.get(chapter)
    lines = example(test, marks, answers) if example is not None else []
    sheets = [one.pairing.marksheet for one in sat.marked]
    return DemoTest(chapter, test, marks, compared, sheets, lines)


Answers = Sequence[Mapping[str, Row]]
"""Each candidate's rows, by unit."""


def _answers(sitting: Sitting) -> dict[str, Row]:
    """Each unit's row; none was asked several times."""
    return {id: row for id, row in sitting.rows.items() if isinstance(row, Row)}


def _reading_example(test: Test, several: Sequence[Marks], answers: Answers) -> list[str]:
    """A question that the last reader answers exactly, while the first chooses another sentence."""
    values = [marks.per_unit() for marks in several]
    for unit in test.units():
        if values[-1][unit.id]["em"] == 1 and values[0][unit.id]["humsent"] == 0:
            lines = [f"For example: {unit.item.text}"]
            for marks, value, rows in zip(several, values, answers, strict=True):
                verdict = "right" if value[unit.id]["humsent"] == 1 else "wrong"
                lines.append(f"  {marks.candidate:<8}  {verdict}  {rows[unit.id].text}")
            return lines
    return []


def _rewriting_example(test: Test, several: Sequence[Marks], answers: Answers) -> list[str]:
    """The shortest question that the last rewriter changes into a gold one, and the rewrite."""
    values = several[-1].per_unit()
    changed = [
        (unit.item.text, rewrite)
        for unit in test.units()
        if values.get(unit.id, {}).get("exact") == 1
        and (rewrite := str(answers[-1][unit.id].rewrite)) != unit.item.text
    ]
    return [f"“{text}”" for text in min(changed, key=lambda pair: len(pair[0]))]


def _task_example(test: Test, several: Sequence[Marks], answers: Answers) -> list[str]:
    """The shortest derivation of an inferred answer that the first extractor gets right."""
    values = several[0].per_unit()
    found = [
        (len(derivation), unit.item.text, derivation)
        for unit in test.units()
        if values.get(unit.id, {}).get("inferences") == 1
        for binding in answers[0][unit.id].bindings or ()
        if (derivation := binding.get("derivation")) and binding.get("inferred")
    ]
    if not found:
        return []
    _, text, derivation = min(found)
    intro = DERIVED.format(candidate=several[0].candidate)
    return ["", intro, f"  {text}", *(f"  {line}" for line in derivation.splitlines())]
