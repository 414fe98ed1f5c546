"""``readmark run``: the tests and candidates of a run file, sat, marked, compared and shown."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.core.binding import sat_splits
from readmark.core.configuration import FILE, configuration, using
from readmark.core.configuration_reading import short_path
from readmark.core.configuration_sections import RunSettings
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.core.numbers import decimal, first_ids
from readmark.core.parsed_names import parse_name
from readmark.core.test import Test
from readmark.core.traffic import one_purse
from readmark.core.writing import lock, writing
from readmark.formats.registry import as_sitting, as_test
from readmark.hooks import hook
from readmark.marking.comparisons import Comparisons, compare, verdict
from readmark.marking.fields import known_fields
from readmark.marking.mark import mark
from readmark.marking.metrics import METRICS
from readmark.marking.results import Marks
from readmark.marking.settings import MarkSettings
from readmark.reporting import Standings, table
from readmark.reporting.report import report
from readmark.sitting import (
    CANDIDATES,
    SatResult,
    SitSettings,
    SittingPlan,
    Watch,
    declared,
    plan,
    sit,
)

RECORD, LOCK = "run.json", ".run.lock"
"""In the folder of a run: what was run, and who is running it."""
REPORT, TABLE = "report.html", "table"

Say = Callable[[str], None]


@click.command("run")
@click.argument("file", required=False)
@click.option(
    "--plan",
    "plan_only",
    is_flag=True,
    help="Print what remains to be sat, with tokens and cost where they are known; ask and write "
    "nothing.",
)
@options.json_option
@click.pass_context
def run_command(ctx: click.Context, file: str | None, plan_only: bool, as_json: bool) -> None:
    """Sit, mark and compare what [run] in FILE names, and write tables and a report.

    FILE is a readmark.toml; the default is the nearest one in this folder or a parent. Answers
    that exist are kept, so an interrupted run resumes. Exits with status 1 if error rows remain,
    or if a candidate could not sit or be marked.
    """
    if plan_only:
        planned = plan_run(file)
        options.print_result(planned, as_json=as_json)
        ctx.exit(1 if planned.failures else 0)
    ticker = options.Ticker()
    try:
        with options.candidate_output_to_stderr():
            done = run(file, say=ticker.step, watch=ticker.show)
    finally:
        ticker.end()
    options.notify(done.notes)
    options.print_result(done, as_json=as_json)
    ctx.exit(1 if done.failures else 0)


# What is run: each candidate on each test of its kind.


@dataclass(frozen=True, slots=True)
class Pairing:
    """A candidate on a test, and the files of it."""

    candidate: str
    sitting: Path
    marksheet: Path


@dataclass(frozen=True, slots=True)
class RunTest:
    """A test of a run with the candidates that sit it."""

    name: str
    test: Test
    pairings: Sequence[Pairing]


def paired_tests(settings: RunSettings, folder: Path) -> list[RunTest]:
    """The tests of a run, each with the candidates of its kind."""
    with _of_key("tests"):
        files = [_short(file) for file in settings.tests]
        _require_names(files, files)
        names = _test_names(files)
        tests = [_opened_test(settings, *pair) for pair in zip(names, files, strict=True)]
    with _of_key("splits"):
        for name in settings.splits:
            if name not in names:
                raise UsageError(f"no test is called {name}; {did_you_mean(name, names)}")
    with _of_key("candidates"):
        canonical = [str(CANDIDATES.build(name)[0]) for name in settings.candidates]
        _require_names(settings.candidates, canonical)
        parts = [_file_name(name) for name in canonical]
        paired = []
        for name, test in zip(names, tests, strict=True):
            pairings = [
                Pairing(
                    candidate,
                    folder / f"{name}.{part}.sitting.jsonl",
                    folder / f"{name}.{part}.marks.jsonl",
                )
                for candidate, part in zip(settings.candidates, parts, strict=True)
                if _sits(candidate, test.kind.name)
            ]
            if not pairings:
                raise UsageError(f"none of them sits {test.file}, a {test.kind.name} test")
            paired.append(RunTest(name, test, pairings))
        sitting = {pairing.candidate for test in paired for pairing in test.pairings}
        for candidate in settings.candidates:
            if candidate not in sitting:
                raise UsageError(f"{candidate} sits none of the tests")
    return paired


@contextlib.contextmanager
def _of_key(key: str) -> Iterator[None]:
    """What is wrong with a key of [run] is said with its line; a file that is there has its own."""
    try:
        yield
    except DataError as error:
        if error.file is not None and Path(str(error.file)).exists():
            raise
        raise DataError(f"run.{key}: {error}", file=_origin(key)) from None
    except UsageError as error:
        raise UsageError(f"{_origin(key)}: run.{key}: {error}") from None


def _origin(key: str) -> str:
    """Where a key of [run] is set: the file with its line, or the option."""
    in_force = configuration()
    file = "" if in_force.file is None else short_path(in_force.file)
    inside = (origin for path, origin in in_force.origins.items() if path[:2] == ("run", key))
    return next(inside, file)


def _require_names(names: Sequence[str], meant: Sequence[str]) -> None:
    """There are names, and no two of them mean the same."""
    if not names:
        raise UsageError("names none, so there is nothing to run")
    for index, name in enumerate(names):
        if meant[index] in meant[:index]:
            raise UsageError(f"{name} is there twice")


def _opened_test(settings: RunSettings, name: str, file: str) -> Test:
    split = settings.splits.get(name, settings.split)
    whole = as_test(file)
    return whole if split is None else whole.split(split)


def _short(file: str) -> str:
    return file if "://" in file else short_path(Path(file))


def _test_names(files: Sequence[str]) -> list[str]:
    """What the tests are called in the names of files: theirs, with the folder's if need be."""
    stems = [
        re.sub(r"(\.jsonl|\.json|\.zip)?(\.gz|\.zst)?$", "", Path(file).name) for file in files
    ]
    names = [
        stem if stems.count(stem) == 1 else f"{Path(file).absolute().parent.name}-{stem}"
        for stem, file in zip(stems, files, strict=True)
    ]
    return [
        name if names.count(name) == 1 else f"{name}-{names[:index].count(name) + 1}"
        for index, name in enumerate(names)
    ]


def _sits(candidate: str, kind: str) -> bool:
    base = parse_name(candidate).base
    entry = CANDIDATES.entry(base)
    kinds = entry.kinds or hook(CANDIDATES.load(base), "kinds", ())
    return not kinds or kind in kinds


def _file_name(candidate: str) -> str:
    """A candidate's name as part of a file's name, on every system."""
    safe = re.sub(r"[^A-Za-z0-9._()=,+-]+", "_", candidate)[:80]
    if safe == candidate:
        return safe
    return f"{safe}-{hashlib.sha256(candidate.encode()).hexdigest()[:8]}"


# The results.


@dataclass(frozen=True, slots=True)
class SatCandidate:
    """What a candidate did on a test: its sitting and marks, or why there are none."""

    pairing: Pairing
    sat: SatResult | None = None
    marks: Marks | None = None
    failure: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The candidate's member of ``run --json``."""
        return {
            "candidate": self.pairing.candidate,
            "sitting": str(self.pairing.sitting),
            "marksheet": str(self.pairing.marksheet) if self.marks is not None else None,
            "errors": self.sat.errors if self.sat is not None else None,
            "marks": None if self.marks is None else self.marks.as_json(units=False),
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True)
class SatTest:
    """A test with what every candidate did on it, each compared with the first."""

    name: str
    test: Test
    candidates: Sequence[SatCandidate]
    comparisons: Comparisons | None

    @property
    def marked(self) -> list[SatCandidate]:
        """The candidates that have marks."""
        return [candidate for candidate in self.candidates if candidate.marks is not None]

    def as_json(self) -> dict[str, Any]:
        """The test's member of ``run --json``."""
        compared = self.comparisons.as_json()["comparisons"] if self.comparisons else []
        return {
            "name": self.name,
            "file": self.test.file,
            "kind": self.test.kind.name,
            "candidates": [candidate.as_json() for candidate in self.candidates],
            "comparisons": compared,
        }


@dataclass(frozen=True, repr=False)
class RunResult(Result):
    """What a run did: its tests, a table for each kind of test, and the report."""

    folder: Path
    tests: Sequence[SatTest]
    tables: Mapping[str, Standings]
    report: Path | None
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> list[str]:
        """What could not be sat or marked, and what has error rows, one per line."""
        lines = []
        for test in self.tests:
            for candidate in test.candidates:
                where = f"{test.name}: {candidate.pairing.candidate}"
                if candidate.failure is not None:
                    lines.append(f"{where}: {candidate.failure}")
                elif candidate.sat is not None and candidate.sat.errors:
                    errors = counted(candidate.sat.errors, "error row")
                    lines.append(f"{where}: {errors}; run again to ask them again")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The document that ``run --json`` prints."""
        return {
            "out": str(self.folder),
            "tests": [test.as_json() for test in self.tests],
            "tables": {kind: standings.as_json() for kind, standings in self.tables.items()},
            "report": None if self.report is None else str(self.report),
            "failures": self.failures,
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        """Print a table for each kind of test, who is better than whom, and where files are."""
        for standings in self.tables.values():
            standings.show(console)
            console.print()
        for test in self.tests:
            lines = _verdicts(test)
            if lines:
                console.print(f"{test.name}:", soft_wrap=True)
            for line in lines:
                console.print(f"  {line}", soft_wrap=True)
        for line in self.failures:
            console.print(line, soft_wrap=True)
        console.print(f"Sittings, marksheets and tables: {self.folder}", soft_wrap=True)
        if self.report is not None:
            console.print(headline("Report", ": ", str(self.report), ""), soft_wrap=True)


def _verdicts(test: SatTest) -> list[str]:
    """Each candidate against the first, by the main metric."""
    if test.comparisons is None or not test.marked:
        return []
    assert test.marked[0].marks is not None
    main = test.marked[0].marks.scores.main
    return [
        f"{comparison.b}, {main}: {verdict(comparison, test.comparisons.alpha)}"
        for comparison in test.comparisons
        if comparison.metric == main
    ]


# The run.


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
    with _run_file(file) as (settings, path):
        return carry_out(settings, path, say=say, watch=watch)


@contextlib.contextmanager
def _run_file(file: str | Path | None) -> Iterator[tuple[RunSettings, Path]]:
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
    markings = _markings(settings, tests)
    steps, total = count(1), sum(len(test.pairings) for test in tests) + 1
    with _reserved(folder), one_purse():
        notes = _record(settings, file, folder, tests)
        sat = []
        for test in tests:
            marking = markings[test.name]
            candidates = []
            for pairing in test.pairings:
                say(f"{next(steps)}/{total} {Path(test.test.file).name}: {pairing.candidate}")
                candidates.append(_sat(test, pairing, settings, marking, watch))
            sat.append(_compared(test, candidates, marking, notes))
        say(f"{next(steps)}/{total} writing the report")
        return _written(folder, sat, notes)


def _markings(settings: RunSettings, tests: Sequence[RunTest]) -> dict[str, MarkSettings]:
    """How each test is marked: with the people, metrics and fields of a run that fit it."""
    with _of_key("people"):
        people = _people_by_test(settings.people, tests)
    with _of_key("metrics"):
        metrics = _metrics_by_test(settings.metrics, tests)
    with _of_key("by"):
        fields = _fields_by_test(settings.by, tests)
    return {
        test.name: MarkSettings(
            metrics=metrics[test.name],
            by=fields[test.name],
            people=people[test.name],
            seed=settings.seed,
            draws=settings.draws,
            trials=settings.trials,
        )
        for test in tests
    }


def _sat(
    test: RunTest,
    pairing: Pairing,
    settings: RunSettings,
    marking: MarkSettings,
    watch: Watch | None,
) -> SatCandidate:
    """One candidate on one test; what goes wrong is its own and stops nobody else."""
    try:
        how = _sit_settings(settings, pairing.candidate)
        sat = sit(test.test, pairing.candidate, pairing.sitting, how, watch=watch)
        marks = mark(test.test, pairing.sitting, marking, marksheet=pairing.marksheet)
    except ReadmarkError as error:
        return SatCandidate(pairing, failure=str(error))
    return SatCandidate(pairing, sat, marks)


def _sit_settings(settings: RunSettings, candidate: str) -> SitSettings:
    """How a candidate sits; one that sends requests asks several at once by itself."""
    cls = CANDIDATES.load(parse_name(candidate).base)
    alone = settings.workers == 1 or declared(cls, "sends_requests", False)
    workers = None if alone else settings.workers
    return SitSettings(repeats=settings.repeats, limit=settings.limit, workers=workers)


def _compared(
    test: RunTest, candidates: Sequence[SatCandidate], marking: MarkSettings, notes: list[str]
) -> SatTest:
    sat = SatTest(test.name, test.test, candidates, None)
    if len(sat.marked) < 2:
        return sat
    first, *others = (candidate.pairing.marksheet for candidate in sat.marked)
    assert sat.marked[0].marks is not None
    metrics = [name for name in sat.marked[0].marks.marks if not name.startswith("judge")]
    settings = replace(marking, metrics=metrics, by=(), people=())
    try:
        return replace(sat, comparisons=compare(test.test, first, *others, settings=settings))
    except ReadmarkError as error:
        notes.append(f"{test.name}: not compared: {error}")
        return sat


def _written(folder: Path, tests: Sequence[SatTest], notes: list[str]) -> RunResult:
    """The result, with its tables and its report as files."""
    tables = {}
    for kind in dict.fromkeys(test.test.kind.name for test in tests):
        marks = _columns([test for test in tests if test.test.kind.name == kind])
        if not marks:  # why is among the failures
            continue
        try:
            tables[kind] = table(*marks)
        except ReadmarkError as error:
            notes.append(f"no table of {kind} tests: {error}")
    for kind, standings in tables.items():
        stem = f"{TABLE}.{kind}" if len(tables) > 1 else TABLE
        texts = {"txt": str(standings), "md": standings.as_markdown(), "csv": standings.as_csv()}
        for suffix, text in texts.items():
            _write(folder / f"{stem}.{suffix}", f"{text.rstrip()}\n".encode())
    sheets = [str(one.pairing.marksheet) for test in tests for one in test.marked]
    page = folder / REPORT if sheets else None
    if page is not None:
        report(*sheets, path=page)
    return RunResult(folder, tests, tables, page, tuple(dict.fromkeys(notes)))


def _columns(tests: Sequence[SatTest]) -> list[Marks]:
    """The marks of all, where each test has a column that is called after its file."""
    return [
        replace(one.marks, test=msgspec.structs.replace(one.marks.test, name=test.name))
        for test in tests
        for one in test.marked
        if one.marks is not None
    ]


def _write(path: Path, data: bytes) -> None:
    with writing(path) as stream:
        stream.write(data)


# Which people, metrics and fields are of which test.


def _people_by_test(files: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """Each person's sitting goes with the tests that it is of; one of no test is an error."""
    people: dict[str, list[str]] = {test.name: [] for test in tests}
    for file in _sittings_in(files):
        problem: ReadmarkError | None = None
        for test in tests:
            try:
                sat_splits(test.test, as_sitting(file, test.test.kind))
            except ReadmarkError as error:
                problem = problem or error
            else:
                people[test.name].append(file)
        if problem is not None and not any(file in known for known in people.values()):
            raise problem
    return people


def _sittings_in(files: Sequence[str]) -> Iterator[str]:
    """Files, and those in folders; a folder of a sitting's parts is one sitting."""
    for file in map(_short, files):
        inside = sorted(Path(file).iterdir()) if Path(file).is_dir() else []
        if inside and not any(path.name.startswith("part-") for path in inside):
            yield from (os.fspath(path) for path in inside if not path.name.startswith("."))
        else:
            yield file


def _metrics_by_test(metrics: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """The metrics that mark each kind of test; without any the kind's own are taken."""
    chosen: dict[str, list[str]] = {test.name: [] for test in tests}
    for metric in metrics:
        base = parse_name(metric).base
        entry = METRICS.entry(base)
        kinds = entry.kinds or METRICS.load(base).facts.kinds
        fitting = [test for test in tests if not kinds or test.test.kind.name in kinds]
        if not fitting:
            raise UsageError(f"{metric} marks none of the tests")
        for test in fitting:
            chosen[test.name].append(metric)
    return chosen


def _fields_by_test(fields: Sequence[str], tests: Sequence[RunTest]) -> dict[str, list[str]]:
    """The fields that each test has; one that no test has is an error."""
    chosen: dict[str, list[str]] = {test.name: [] for test in tests}
    for name in fields:
        problem: UsageError | None = None
        for test in tests:
            try:
                chosen[test.name] += known_fields(test.test, [name])
            except UsageError as error:
                problem = problem or error
        if problem is not None and not any(name in known for known in chosen.values()):
            raise problem
    return chosen


# The folder of a run: kept to one process, and to one run file.


@contextlib.contextmanager
def _reserved(folder: Path) -> Iterator[None]:
    """The folder, kept to this process: two runs at a time would write the same files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = (folder / LOCK).open("ab")
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", file=folder) from None
    with stream:
        if lock(stream.fileno()) is False:
            raise DataError("another run writes here now; wait, or change run.out", file=folder)
        yield


class _RecordedRun(msgspec.Struct, frozen=True):
    """``run.json``: which file was run into a folder, and its settings."""

    file: str
    run: dict[str, Any]
    readmark: int = 1


def _record(settings: RunSettings, file: Path, folder: Path, tests: Sequence[RunTest]) -> list[str]:
    """Note what is run, and say what changed since the last run of the folder."""
    path = folder / RECORD
    changeable = {name: value for name, value in asdict(settings).items() if name != "out"}
    for name in ("tests", "people"):  # relative, so that a folder can be moved as a whole
        changeable[name] = [_relative(each, folder) for each in changeable[name]]
    run = msgspec.json.decode(msgspec.json.encode(changeable))
    now = _RecordedRun(_relative(file, folder), run)
    notes = []
    if path.exists():
        try:
            before = msgspec.json.decode(path.read_bytes(), type=_RecordedRun)
        except (OSError, msgspec.MsgspecError) as error:
            raise DataError(f"is not the record of a run: {error}", file=path) from None
        if before.file != now.file:
            raise DataError(
                f"has the run of {os.path.normpath(folder / before.file)}; choose another run.out",
                file=folder,
            )
        for name, value in now.run.items():
            if before.run.get(name, value) != value:
                notes.append(f"{folder}: run.{name} is not what it was in the last run")
    expected = {pairing.sitting.name for test in tests for pairing in test.pairings}
    unused = sorted(one.name for one in folder.glob("*.sitting.jsonl") if one.name not in expected)
    if unused:
        notes.append(
            f"{folder}: {counted(len(unused), 'sitting')} of earlier runs not used: "
            f"{first_ids(unused)}"
        )
    _write(path, msgspec.json.format(msgspec.json.encode(now)) + b"\n")
    return notes


def _relative(path: str | Path, folder: Path) -> str:
    if "://" in str(path):
        return str(path)
    return Path(os.path.relpath(Path(path).absolute(), folder.absolute())).as_posix()


# What a run would do.


@dataclass(frozen=True, slots=True)
class PlannedCandidate:
    """What is left to sit of a candidate on a test, or why it cannot be planned."""

    test: str
    candidate: str
    plan: SittingPlan | None = None
    failure: str | None = None


@dataclass(frozen=True, repr=False)
class RunPlan(Result):
    """What a run would sit, and what that would cost where it is known."""

    folder: Path
    candidates: Sequence[PlannedCandidate] = field(default_factory=tuple)

    @property
    def failures(self) -> list[str]:
        """What cannot be sat, one per line."""
        return [
            f"{planned.test}: {planned.candidate}: {planned.failure}"
            for planned in self.candidates
            if planned.failure is not None
        ]

    @property
    def costs(self) -> dict[str, tuple[float, float]]:
        """By currency, what the requests of all would cost: about, and at most."""
        costs: dict[str, tuple[float, float]] = {}
        for planned in self.candidates:
            estimate = planned.plan.estimate if planned.plan is not None else None
            if estimate is not None and estimate.cost is not None:
                about, most = costs.get(estimate.currency, (0.0, 0.0))
                costs[estimate.currency] = (
                    about + estimate.cost,
                    most + (estimate.most_cost or estimate.cost),
                )
        return costs

    def as_json(self) -> dict[str, Any]:
        """The document that ``run --plan --json`` prints."""
        return {
            "out": str(self.folder),
            "candidates": [
                {
                    "test": planned.test,
                    "candidate": planned.candidate,
                    "plan": None if planned.plan is None else planned.plan.as_json(),
                    "failure": planned.failure,
                }
                for planned in self.candidates
            ],
            "costs": {
                currency: {"about": about, "at_most": most}
                for currency, (about, most) in self.costs.items()
            },
        }

    def show(self, console: Console) -> None:
        """Print what is left of each sitting, then the sum of the costs."""
        asks = any(planned.plan and planned.plan.estimate for planned in self.candidates)
        more = ("requests", "cost") if asks else ()
        shown = plain_table("test", "candidate", "left", "done", *more)
        shown.columns[1].justify = "left"
        for planned in self.candidates:
            if planned.plan is None:
                continue
            estimate = planned.plan.estimate
            cells = ["", ""]
            if estimate is not None:
                cells[0] = f"{estimate.requests:,}"
                cells[1] = (
                    ""
                    if estimate.cost is None
                    else f"{decimal(estimate.cost, 4)} {estimate.currency}"
                )
            shown.add_row(
                planned.test,
                planned.candidate,
                f"{planned.plan.left:,}",
                f"{planned.plan.answered:,}",
                *(cells if asks else ()),
            )
        console.print(shown)
        for currency, (about, most) in self.costs.items():
            console.print(f"cost about {decimal(about, 4)} {currency}, at most {decimal(most, 4)}")
        for line in self.failures:
            console.print(line, soft_wrap=True)
        console.print(f"to be written to {self.folder}; nothing was asked", soft_wrap=True)


def plan_run(file: str | Path | None = None) -> RunPlan:
    """What a run file would do; nothing is asked or written."""
    with _run_file(file) as (settings, _):
        folder = Path(short_path(Path(settings.out)))
        tests = paired_tests(settings, folder)
        _markings(settings, tests)
        planned = [_planned(test, pairing, settings) for test in tests for pairing in test.pairings]
        return RunPlan(folder, planned)


def _planned(test: RunTest, pairing: Pairing, settings: RunSettings) -> PlannedCandidate:
    try:
        how = _sit_settings(settings, pairing.candidate)
        planned = plan(test.test, pairing.candidate, pairing.sitting, how)
    except ReadmarkError as error:
        return PlannedCandidate(test.name, pairing.candidate, failure=str(error))
    return PlannedCandidate(test.name, pairing.candidate, planned)
