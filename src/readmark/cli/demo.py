"""``readmark demo``: the bundled run file, and the story around its marks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from readmark import console as options
from readmark.cli.marking_cases import mark_cases
from readmark.cli.run.folder import RECORD
from readmark.cli.run.results import SatTest
from readmark.cli.run.runner import Say, carry_out
from readmark.console import OUTPUT_FOLDER
from readmark.core import numbers
from readmark.core.configuration import load_configuration, using
from readmark.core.configuration_sections import FILE
from readmark.core.display import ABSENT, Result, headline, plain_table
from readmark.core.errors import ReadmarkError
from readmark.core.extras import MissingExtra, require
from readmark.core.sitting import Row
from readmark.core.writing import writing
from readmark.formats.inputs import as_sitting
from readmark.marking import Marks, PeopleComparison


@click.command("demo")
@click.option(
    "-o",
    "--output",
    default="out/demo",
    metavar="DIR",
    help="Folder for all output files",
    type=OUTPUT_FOLDER,
)
@options.json_option
@click.pass_context
def demo_command(ctx: click.Context, output: str, as_json: bool) -> None:
    """Run the bundled readers, rewriters, raters and extractors on the bundled tests.

    Writes all files and a report to DIR. Also marks the bundled marking cases, and exits with
    status 1 if one of them does not get its expected marks.
    """
    with options.Ticker() as ticker:
        done = run_demo(output, say=ticker.step)
    options.print_result(done, as_json=as_json)
    ctx.exit(1 if done.wrong else 0)


StoryPart = str | Table | Sequence[str]
"""A paragraph, a table, or lines that are cut to the terminal's width."""


@dataclass(frozen=True, repr=False)
class Demo(Result):
    """What the demo did."""

    folder: Path
    tests: Sequence[SatTest]
    story: Mapping[str, Sequence[StoryPart]]
    """The parts of each chapter, by its title."""
    cases: int
    wrong: Sequence[str]
    """Shipped marking cases that did not get the marks they should."""
    report: Path

    def as_json(self) -> dict[str, Any]:
        """The document that ``demo --json`` prints."""
        return {
            "report": str(self.report),
            "marksheets": [
                str(sat.pairing.marksheet) for test in self.tests for sat in test.marked
            ],
            "tests": {
                test.test.header.name: [marks.as_json(units=False) for marks in _marks(test)]
                for test in self.tests
            },
            "cases": {"marked": self.cases, "wrong": self.wrong},
        }

    def show(self, console: Console) -> None:
        """Print the story: what was sat and how it went, then the files and what to try next."""
        console.print(STORY["welcome"])
        for number, (title, parts) in enumerate(self.story.items(), start=1):
            _print_heading(console, number, title)
            for index, part in enumerate(parts):
                if index:
                    console.print()
                if isinstance(part, str | Table):
                    console.print(part)
                    continue
                for line in part:
                    console.print(line, no_wrap=True, overflow="ellipsis")
        _print_heading(console, len(self.story) + 1, STORY["next"]["title"])
        if self.wrong:
            listed = ", ".join(self.wrong)
            console.print(
                f"{len(self.wrong)} of {self.cases} marking cases are marked wrong: {listed}"
            )
        else:
            console.print(f"{self.cases} shipped marking cases: all got the marks they should.")
        console.print(f"Tests, sittings and marksheets: {self.folder}", soft_wrap=True)
        console.print(headline("Report", ": ", str(self.report), ""), soft_wrap=True)
        for line in STORY["next"]["commands"].splitlines():
            console.print(Text(line, "bold" if line.startswith("  readmark") else ""))


def _print_heading(console: Console, number: int, title: str) -> None:
    console.print()
    console.print(Text(f"{number}. {title}", "bold"))


def run_demo(folder: str | Path, *, say: Say = lambda words: None) -> Demo:
    """Go the whole path on every bundled test; files of an earlier demo are replaced."""
    file = lay_out(Path(folder))
    with using(file) as in_force:
        sat = carry_out(in_force.run, file, say=say)
    if sat.failures or sat.report is None:
        raise ReadmarkError("; ".join(sat.failures))
    story = {}
    for name, chapter in CHAPTERS.items():
        if tests := [test for test in sat.tests if test.name.partition(".")[0] == name]:
            story[STORY[name]["title"]] = list(chapter(tests, STORY[name]))
    cases = list(mark_cases())
    wrong = [id for case in cases for id in case.wrong]
    count = sum(len(case.cases) for case in cases)
    return Demo(Path(folder), sat.tests, story, count, wrong, sat.report)


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


# The story: what is said and shown of the tests of each chapter.


STORY: Mapping[str, Any] = tomllib.loads(
    files("readmark.bundle").joinpath("story.toml").read_text(encoding="utf-8")
)
LANGUAGES = {"en": "English", "zh": "Chinese"}
WORD_READERS = ("span",)
"""The readers that answer in words; the others choose a sentence."""


def _reading(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    facts = tests[0].test.facts
    yield says["readers"].format(units=facts.units, records=facts.records)
    for test in tests:
        p_of = {
            comparison.b: numbers.p_value(comparison.decisive_p)
            for comparison in test.comparisons or ()
            if comparison.metric == "humsent"  # all readers have a sentence
        }
        table = plain_table(_language(test), "humsent", "interval", "p", "em", "f1")
        for marks in _marks(test):
            has_words = marks.candidate in WORD_READERS
            words = [_scored(marks, name)[0] if has_words else ABSENT for name in ("em", "f1")]
            p = p_of.get(marks.candidate, "")
            table.add_row(marks.candidate, *_scored(marks, "humsent"), p, *words)
        yield table
    yield _reading_example(tests[0])
    yield says["levels"]
    for test in tests:
        yield _levels_table(test)


def _levels_table(test: SatTest) -> Table:
    """Readers and references on the same units and the same sets, a column a level."""
    several = _marks(test)
    last = several[-1].people
    levels = [*(last.by.get("level", ()) if last is not None else ()), None]
    table = plain_table(f"{_language(test)}, by level", *(level or "all" for level in levels))
    if last is None:
        return table
    units = [last.units if level is None else last.by["level"][level].units for level in levels]
    table.add_row("questions", *(f"{count:,}" for count in units))
    rows = [(marks, "humsent") for marks in several]
    rows += [(marks, "f1") for marks in several if marks.candidate in WORD_READERS]
    for marks, metric in rows:
        scores = [_compared(marks, level)[metric].machine for level in levels]
        cells = (numbers.mark(score, 100) for score in scores)
        table.add_row(f"{marks.candidate}, {metric}", *cells)
    people = [_compared(several[-1], level)["f1"].people for level in levels]
    table.add_row("references, f1", *(numbers.mark(score, 100) for score in people))
    return table


def _reading_example(test: SatTest) -> list[str]:
    """A question that the last reader answers exactly, while the first chooses another sentence."""
    several, answers = _marks(test), _answers(test)
    values = [marks.per_unit() for marks in several]
    for unit in test.test.units():
        if values[-1][unit.id]["em"] == 1 and values[0][unit.id]["humsent"] == 0:
            lines = [f"For example: {unit.item.text}"]
            for marks, value, rows in zip(several, values, answers, strict=True):
                verdict = "right" if value[unit.id]["humsent"] == 1 else "wrong"
                lines.append(f"  {marks.candidate:<8}  {verdict}  {rows[unit.id].text}")
            return lines
    return []


def _rewriting(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    # The shortest question that the last rewriter changes into a gold one.
    values, rows = _marks(tests[0])[-1].per_unit(), _answers(tests[0])[-1]
    changed = [
        (unit.item.text, rewrite)
        for unit in tests[0].test.units()
        if values.get(unit.id, {}).get("exact") == 1
        and (rewrite := rows[unit.id].text) != unit.item.text
    ]
    question, rewrite = min(changed, key=lambda pair: len(pair[0]))
    yield says["rewriters"].format(question=question, rewrite=rewrite)
    heads = [head for test in tests for head in (f"{_language(test)}\njaccard", "\ninterval")]
    table = plain_table("\nrewriter", *heads)
    for several in zip(*map(_marks, tests), strict=True):
        cells = [cell for marks in several for cell in _scored(marks, "jaccard")]
        table.add_row(several[0].candidate, *cells)
    yield table


def _rating(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    for test in tests:
        yield says["raters"].format(units=test.test.facts.units)
        table = plain_table("rater", "pearson", "interval")
        for marks in _marks(test):
            table.add_row(marks.candidate, *_scored(marks, "pearson"))
        if novices := _compared(_marks(test)[0]).get("pearson"):
            table.add_row("novices, on average", numbers.mark(novices.people, 1), "")
        yield table


def _reading_tasks(tests: Sequence[SatTest], says: Mapping[str, str]) -> Iterator[StoryPart]:
    facts = [test.test.facts for test in tests]
    units, records = sum(one.units for one in facts), sum(one.records for one in facts)
    yield says["extractors"].format(units=f"{units:,}", records=records)
    for test in tests:
        table = plain_table(_language(test), "facts", "interval", "inferences")
        for marks in _marks(test):
            table.add_row(
                marks.candidate, *_scored(marks, "facts"), _scored(marks, "inferences")[0]
            )
        if people := _compared(_marks(test)[0]):
            stated, inferred = (
                numbers.mark(people[name].people, 100) for name in ("facts", "inferences")
            )
            table.add_row("people, on average", stated, "", inferred)
        yield table
    # The shortest derivation of an inferred answer that the first extractor gets right.
    first, rows = _marks(tests[0])[0], _answers(tests[0])[0]
    values = first.per_unit()
    derivations = [
        (len(derivation), unit.item.text, derivation)
        for unit in tests[0].test.units()
        if values.get(unit.id, {}).get("inferences") == 1
        for binding in rows[unit.id].answer or ()
        if (derivation := binding.get("derivation")) and binding.get("inferred")
    ]
    if derivations:
        _, text, derivation = min(derivations)
        intro = says["derived"].format(candidate=first.candidate)
        yield [intro, f"  {text}", *(f"  {line}" for line in derivation.splitlines())]


def _marks(test: SatTest) -> list[Marks]:
    return [sat.marks for sat in test.marked if sat.marks is not None]


def _answers(test: SatTest) -> list[dict[str, Row]]:
    """Each candidate's rows, by unit; none was asked several times."""
    sittings = [as_sitting(sat.pairing.sitting, test.test.kind) for sat in test.marked]
    return [
        {id: row for id, row in sitting.rows.items() if isinstance(row, Row)}
        for sitting in sittings
    ]


def _scored(marks: Marks, metric: str) -> tuple[str, str]:
    """A mark and its interval."""
    mark = marks[metric]
    interval = numbers.interval(mark.low, mark.high, mark.scale)
    return numbers.mark(mark.score, mark.scale), interval


def _compared(marks: Marks, level: str | None = None) -> Mapping[str, PeopleComparison]:
    """A candidate compared with people, at a level or overall."""
    people = marks.people
    if people is None:
        return {}
    return people.marks if level is None else people.by["level"][level].marks


def _language(test: SatTest) -> str:
    return LANGUAGES.get(test.test.language, test.test.language)


CHAPTERS: Mapping[str, Callable[[Sequence[SatTest], Mapping[str, str]], Iterator[StoryPart]]] = {
    "reading": _reading,
    "series": _rewriting,
    "readability": _rating,
    "task": _reading_tasks,
}
"""By the first part of a bundled file's name: what is said and shown of such tests."""
