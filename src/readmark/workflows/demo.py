"""The demo: the bundled tests, sat by every embedded candidate, marked, compared and reported.

A candidate that is registered as embedded takes part without a change here; so does a test that
is put into the bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from readmark.corpus.test import Test
from readmark.marking.results import Marks
from readmark.marking.significance import Comparison
from readmark.sitting.candidates import CANDIDATES
from readmark.workflows.api import compare, load, mark, sit
from readmark.workflows.cases import mark_cases

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DemoTest:
    """One bundled test: every candidate's marks, each against the first."""

    test: Test
    marks: list[Marks]
    comparisons: list[Comparison]
    marksheets: list[Path]


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo did."""

    folder: Path
    tests: list[DemoTest]
    cases: int
    wrong: list[str]
    """Shipped marking cases that did not get the marks they should."""


def run_demo(folder: str | Path, *, say: Say = lambda _: None) -> Demo:
    """Go the whole path on every bundled test; files of an earlier demo are replaced."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tests = []
    for path in bundled_tests(folder):
        say(f"{path.name}: sitting and marking")
        tests.append(_through(load(path), folder))
    cases = list(mark_cases())
    wrong = [id for one in cases for id in one.wrong]
    return Demo(folder, tests, sum(len(one.cases) for one in cases), wrong)


def bundled_tests(folder: Path) -> Iterator[Path]:
    """The tests in the bundle, laid out as files that a reader of the demo can look into."""
    for resource in sorted(files("readmark.bundle").iterdir(), key=lambda one: one.name):
        if resource.name.endswith(".jsonl") and resource.name != "cases.jsonl":
            with as_file(resource) as source:
                target = folder / resource.name
                target.write_bytes(source.read_bytes())
            yield target


def bundled_people(test: Path) -> list[Path]:
    """The sittings of a bundled test's panel, where it has one, laid out beside the test."""
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
    metric = "humsent" if test.facts.marked else None
    compared = compare(test, *sittings, metric=metric) if len(sittings) > 1 else []
    return DemoTest(test, marks, compared, sheets)


def _has(test: Test, field: str) -> bool:
    return any(unit.field(field) is not None for unit in test.units())
