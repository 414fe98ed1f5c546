"""Carrying out a run file: what is missing is sat, everything is marked, compared and written."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec

from readmark.cli.run.folder import record, reserved
from readmark.cli.run.markings import markings, optional_fields
from readmark.cli.run.pairings import Pairing, RunTest, paired_tests
from readmark.cli.run.results import RunResult, SatCandidate, SatTest
from readmark.core.configuration import configuration, using
from readmark.core.configuration_sections import FILE, RunSettings, short_path
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.parsed_names import parse_name
from readmark.core.traffic import one_purse
from readmark.core.writing import writing
from readmark.marking import Marks, MarkSettings, compare, mark
from readmark.reporting import report_marksheets, table
from readmark.sitting import CANDIDATES, SitSettings, Watch, declared, sit

REPORT, TABLE = "report.html", "table"

Say = Callable[[str], None]


def run(
    file: str | Path | None = None,
    *,
    say: Say = lambda words: None,
    watch: Watch | None = None,
) -> RunResult:
    """Do what [run] of a run file says: sit what is missing, mark, compare, and show it all.

    ``file`` is a readmark.toml; without it, the nearest of the current folder or a parent. What
    was sat is not sat again, so a run that was interrupted is finished by calling it once more.
    ``say`` is called with each step, ``watch`` with the progress of a sitting.
    """
    with run_file(file) as (settings, path):
        return carry_out(settings, path, say=say, watch=watch)


@contextlib.contextmanager
def run_file(file: str | Path | None) -> Iterator[tuple[RunSettings, Path]]:
    """The run that a file describes, with the file in force."""
    with using(file) if file is not None else contextlib.nullcontext():
        in_force = configuration()
        if in_force.file is None:
            raise UsageError(f"no {FILE} in this folder or a parent: name a run file")
        if not any(path[0] == "run" for path in in_force.origins):
            raise UsageError(f"{in_force.file.name} has no section [run]")
        yield in_force.run, in_force.file


def carry_out(
    settings: RunSettings, file: Path, *, say: Say, watch: Watch | None = None
) -> RunResult:
    """The run of a file's settings; its folder is kept to this run meanwhile."""
    folder = Path(short_path(Path(settings.out)))
    tests = paired_tests(settings, folder)
    marking = markings(settings, tests)
    steps, total = count(1), sum(len(test.pairings) for test in tests) + 1
    with reserved(folder), one_purse():
        notes = record(settings, file, folder, tests)
        sat = []
        for test in tests:
            candidates = []
            for pairing in test.pairings:
                say(f"{next(steps)}/{total} {Path(test.test.file).name}: {pairing.candidate}")
                candidates.append(_sat(test, pairing, settings, marking[test.name], watch))
            sat.append(_compared(test, candidates, marking[test.name], notes))
        say(f"{next(steps)}/{total} writing the report")
        return _written(folder, sat, notes, optional_fields(settings, tests))


def _sat(
    test: RunTest,
    pairing: Pairing,
    settings: RunSettings,
    marking: MarkSettings,
    watch: Watch | None,
) -> SatCandidate:
    """One candidate on one test; what goes wrong is its own and stops nobody else."""
    try:
        how = sit_settings(settings, pairing.candidate)
        sat = sit(test.test, pairing.candidate, pairing.sitting, how, watch=watch)
        marks = mark(test.test, pairing.sitting, marking, marksheet=pairing.marksheet)
    except ReadmarkError as error:
        return SatCandidate(pairing, failure=str(error))
    return SatCandidate(pairing, sat, marks)


def sit_settings(settings: RunSettings, candidate: str) -> SitSettings:
    """How a candidate sits; one that sends requests asks several at once by itself."""
    cls = CANDIDATES.load(parse_name(candidate).base)
    alone = settings.workers == 1 or declared(cls, "sends_requests", False)
    workers = None if alone else settings.workers
    return SitSettings(repeats=settings.repeats, limit=settings.limit, workers=workers)


def _compared(
    test: RunTest, candidates: Sequence[SatCandidate], marking: MarkSettings, notes: list[str]
) -> SatTest:
    marks = next((each.marks for each in candidates if each.marks is not None), None)
    # Whoever names metrics has named the main one first.
    chosen = tuple(marks.marks) if marks is not None and marking.metrics else ()
    sat = SatTest(test.name, test.test, candidates, None, chosen)
    if marks is None or len(sat.marked) < 2:
        return sat
    # `compare` wants to know how far a judge agrees with people before it compares its verdicts:
    # that is a question for whoever quotes them, not for every run.
    metrics = [name for name in marks.marks if parse_name(name).base != "judge"]
    if not metrics:
        notes.append(f"{test.name}: not compared: readmark compare compares verdicts of a judge")
        return sat
    first, *others = (candidate.pairing.marksheet for candidate in sat.marked)
    settings = replace(marking, metrics=metrics, by=(), people=())
    try:
        return replace(sat, comparisons=compare(test.test, first, *others, settings=settings))
    except ReadmarkError as error:
        notes.append(f"{test.name}: not compared: {error}")
        return sat


def _written(
    folder: Path, tests: Sequence[SatTest], notes: list[str], optional: frozenset[str]
) -> RunResult:
    """The result, with its tables and its report as files."""
    tables = {}
    for kind in dict.fromkeys(test.test.kind.name for test in tests):
        of_kind = [test for test in tests if test.test.kind.name == kind and test.marked]
        if not of_kind:  # why is among the failures
            continue
        try:
            tables[kind] = table(*_columns(of_kind), metrics=of_kind[0].chosen)
        except ReadmarkError as error:
            notes.append(f"no table of {kind} tests: {error}")
    for kind, standings in tables.items():
        stem = f"{TABLE}.{kind}" if len(tables) > 1 else TABLE
        texts = {"txt": str(standings), "md": standings.as_markdown(), "csv": standings.as_csv()}
        for suffix, text in texts.items():
            with writing(folder / f"{stem}.{suffix}") as stream:
                stream.write(f"{text.rstrip()}\n".encode())
    sheets = [str(each.pairing.marksheet) for test in tests for each in test.marked]
    page = folder / REPORT if sheets else None
    if page is not None:
        report_marksheets(sheets, page, optional=optional)
    return RunResult(folder, tests, tables, page, tuple(dict.fromkeys(notes)))


def _columns(tests: Sequence[SatTest]) -> list[Marks]:
    """The marks of all, where each test has a column that is called after its file."""
    return [
        replace(marks, test=msgspec.structs.replace(marks.test, name=test.name))
        for test in tests
        for marks in test.marks
    ]
