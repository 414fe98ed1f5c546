"""``readmark demo``: the bundled run file, and the story around its marks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
from readmark.cli.demo_story import CHAPTERS, STORY, StoryPart
from readmark.cli.marking_cases import mark_cases
from readmark.cli.run.folder import RECORD
from readmark.cli.run.results import SatTest
from readmark.cli.run.runner import Say, carry_out
from readmark.console import OUTPUT_FOLDER
from readmark.core.configuration import load_configuration, using
from readmark.core.configuration_sections import FILE
from readmark.core.display import Result, headline
from readmark.core.errors import ReadmarkError
from readmark.core.extras import MissingExtra, require
from readmark.core.writing import writing


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
                test.test.header.name: [marks.as_json(units=False) for marks in test.marks]
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
