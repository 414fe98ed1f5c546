"""Every hook that a plug-in may implement: a signature and one line each.

A plug-in is an entry point of another package in one of the groups of ``readmark/builtin.py``;
the rooms of Readmark declare their own kinds, formats, candidates, metrics, commands, report
sections and transforms in the same way, in their ``plugins.py``. The classes named ``...Hooks``
are optional: a plug-in has any of their members or none. Readmark reads an optional member only
with ``hook``.

The values that hooks take and return can be imported from here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.errors import ReadmarkError
from readmark.core.files import read_lines
from readmark.core.kinds import Finding
from readmark.core.metric_run import Case, MarkRun
from readmark.core.problems import Problem, WarningCode
from readmark.core.records import (
    PAPER_LAYERS,
    Analysis,
    Answer,
    Labelled,
    Layer,
    Passage,
    Question,
    QuestionKey,
    Unit,
    Value,
)
from readmark.core.registry import parameter
from readmark.core.sitting import Row, Sitting
from readmark.core.source import Source
from readmark.core.test import Facts, Header, Test, in_memory
from readmark.core.traffic import Estimate
from readmark.core.writing import writing

if TYPE_CHECKING:
    from readmark.core.arrays import Floats
    from readmark.reporting import Figure, Part, SectionData, Table
    from readmark.text.training_record import TrainingRecord
    from readmark.works import (
        AnswerPool,
        Configuration,
        ItemView,
        Objects,
        PersonsWork,
        ProjectExam,
        ProjectMaterials,
        ProjectWork,
        StoredProject,
        TextView,
        Viewer,
        WorkFinding,
        WorkItem,
        read_project,
    )

__all__ = [
    "Adjudication",
    "Analyser",
    "Analysis",
    "Answer",
    "AnswerPool",
    "Candidate",
    "CandidateHooks",
    "Case",
    "Configuration",
    "Estimate",
    "Facts",
    "Figure",
    "Finding",
    "Format",
    "Header",
    "ItemView",
    "Kind",
    "Labelled",
    "Layer",
    "MarkRun",
    "Metric",
    "MetricFacts",
    "MetricHooks",
    "MetricReport",
    "Objects",
    "PaperTransform",
    "Part",
    "Passage",
    "PersonsWork",
    "Problem",
    "ProjectExam",
    "ProjectMaterials",
    "ProjectWork",
    "Question",
    "QuestionKey",
    "ReportSection",
    "Row",
    "Run",
    "SectionData",
    "ShownWork",
    "Sitting",
    "Source",
    "StoredProject",
    "Table",
    "Test",
    "TextView",
    "TransformHooks",
    "Unit",
    "Value",
    "Viewer",
    "WarningCode",
    "Work",
    "WorkFinding",
    "WorkHooks",
    "WorkItem",
    "hook",
    "in_memory",
    "one_by_one",
    "parameter",
    "read_lines",
    "read_project",
    "writing",
]


# Kinds of test: entry points `readmark.kinds`, an object each.


class Kind(Protocol):
    """What the one path from test to marksheet must know of a kind of test.

    What a single room can do with a kind besides is declared in that room, and a kind has it or
    not: `readmark.sitting.kind_extras` (parts to leave out, files for candidates),
    `readmark.marking.kind_extras` (error classes, derived fields, tables, notes, single answers),
    `readmark.formats.kind_extras` (checks of whole tests, files beside the records),
    `readmark.works.kind_extras` (what a person reads of a record),
    ``WrittenInRows`` in `readmark.formats.tables.columns`, ``AskedByModels`` in `readmark.llm`, and
    ``RuledQuestions`` in `readmark.core.question_rules`.
    """

    name: str
    """What tests of the kind say in their header."""
    record: type
    """The struct that a line of a native file holds."""
    record_noun: str
    """What intervals and paired tests resample: passage, series, document."""
    unit_noun: str
    """What is answered: question, passage, query."""
    answer: str
    """What the answer is called in the rows of a sitting's file, such as ``text``."""
    answer_type: Any
    """What JSON it is there: ``str``, ``float``, ...; ``Any`` if only ``read_answer`` can tell."""
    people_from_key: bool
    """Whether people's figure comes from the key's answers or from sittings."""

    main_metric: str
    """What candidates are compared by when nothing else is asked for."""

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The metrics marked when none is asked for."""

    def paper(self, record: Any) -> Any:
        """The record with every key taken out."""

    def units(self, record: Any) -> Iterator[Unit]:
        """The units of a record, in order."""

    def references(self, unit: Unit) -> Sequence[Sequence[Any]]:
        """What the unit is marked against: a list a person."""

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """What is so of the unit, and counted in a test's ``facts``, such as ``choices``."""

    def read_answer(self, row: Row) -> Any:
        """The answer in a sitting's row, as the references are."""

    def paper_part(self, record: Any) -> Any:
        """What of a record counts towards the paper's fingerprint: ids and texts."""

    def key_part(self, record: Any) -> Any:
        """What of a record counts towards the key's fingerprint: the key without layers."""

    def texts(self, record: Any) -> Iterator[str]:
        """The texts from which the language is detected."""

    def findings(self, record: Any) -> Iterator[Finding]:
        """What is structurally wrong in a record."""

    def show_record(self, record: Any) -> Sequence[Labelled]:
        """How what the units of a record share is shown to a person, such as the passage."""

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """How the unit itself is shown to a person."""


class ClosingNotes(Protocol):
    """What a candidate and a transform may both have."""

    def closing_notes(self) -> Iterable[str]:
        """What a user should know after the sitting, one per line."""


# Candidates: `readmark.candidates`, a dataclass each.


@runtime_checkable
class Candidate(Protocol):
    """Whoever takes units and gives rows as they come, in any order.

    A dataclass: its fields are the candidate's parameters. It sees papers only.
    """

    def prepare(self, kind: Kind, language: str) -> None:
        """Load what is needed, once in every process, before the first unit."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        """One row per unit; what goes wrong with one unit is that unit's row."""

    def signature(self) -> Mapping[str, Any]:
        """Everything that decides the answers, library versions included."""


class CandidateHooks(ClosingNotes, Protocol):
    """What a candidate may have besides the members of ``Candidate``."""

    kinds: Sequence[str]
    """The kinds of test that it sits; all if absent."""
    needs: Sequence[str]
    """The layers of the key that it wants to see."""
    requires: Sequence[str]
    """What a test must have for it: ``options``, and layers by their names."""
    sends_requests: bool
    """Whether it sends requests itself, many at once, within the limits of its ``Run``."""

    def begin(self, run: Run) -> None:
        """Called before ``prepare``, in every process, with the run that it sits in."""

    def begin_repeat(self, number: int) -> None:
        """Called in every process before the units of a repeat."""

    def estimate(self, units: Iterable[Unit]) -> Estimate:
        """What answering units would take in requests, without answering them."""

    def training_record(self) -> TrainingRecord | str | Path | None:
        """What it learnt from: a ``readmark.TrainingRecord`` or the path of its file, or None.

        Called after ``prepare``. Passages of the test that are in it are counted and reported.
        """


# Paper transforms: `readmark.transforms`, a dataclass each.


class PaperTransform(Protocol):
    """Changes what a candidate sees of a paper. A dataclass: its fields are its parameters.

    Transforms are applied in the order of the registry, and undone in rows in the reverse order.
    """

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Check that the transform fits the test and the other transforms; load what it needs."""

    def signature(self) -> Mapping[str, Any]:
        """What of the transform decides the answers."""

    def asks(self, asks: Iterator[Any], repeat: int) -> Iterator[Any]:
        """The papers that are handed out, changed."""

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows that come back, with a note of what was changed."""


class TransformHooks(ClosingNotes, Protocol):
    """What a transform may have besides the members of ``PaperTransform``."""

    hides_passages: bool
    """Whether offsets of answers may point anywhere, since the passage is not as in the test."""


# Metrics: `readmark.metrics`, a dataclass each.


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFacts:
    """What a metric declares of itself and of its mark."""

    kinds: tuple[str, ...] = ()
    """The kinds of test that it marks; all if empty."""
    scale: float = 1.0
    """What the mark is multiplied by when it is shown: 100 for shares in per cent."""
    width: int = 1
    """How many numbers a unit's vector has."""
    best: float = 1.0
    """The mark of a perfect answer, unscaled."""
    worst: float = 0.0
    """The mark of a useless one. Where it is above ``best``, lower marks are better."""
    quantity: Literal["", "share", "correlation", "difference"] = ""
    """``share`` (0 to 1); ``correlation`` or ``difference``, which nobody divides by people's."""
    uncounted: str = ""
    """Why some units do not count; units whose mark is undefined are left out then."""
    from_people: str = ""
    """That the mark is measured from people's sittings, and how candidates are compared without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricReport:
    """What a reader of a mark should know besides the number."""

    remarks: Sequence[str] = ()
    """Anything, one per line."""
    failed: int = 0
    """On how many units a request brought no reply: marking is not finished."""
    provisional: int = 0
    """How many answers nobody has judged: until they are, the mark is provisional."""
    unjudged: str = ""
    """What such answers count as, in words."""


class Metric(Protocol):
    """One way of marking. A dataclass: its fields are the metric's parameters."""

    @property
    def facts(self) -> MetricFacts:
        """What the metric declares of itself, on the class."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """A unit's vector; None is an unanswered unit and gets the worst value.

        ``people`` are the panel's answers to the unit, for metrics that set them against.
        """

    def aggregate(self, sums: Floats) -> Floats:
        """The mark, unscaled, of sums (..., width); NaN where it is undefined."""

    def signature(self) -> Mapping[str, str]:
        """Everything that decides the number."""


class MetricHooks(Protocol):
    """What a metric may have besides the members of ``Metric``."""

    def resolve(self, test: Test) -> Metric:
        """The metric with what the test decides filled in, such as the language."""

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """The vectors of many answers at once, in their order, each as ``statistics`` gives it."""

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The vector of a unit that was asked several times; the mean if absent."""

    def paired(self, sums: Floats) -> Floats:
        """What two candidates are compared by; ``aggregate`` if absent."""

    def score(self, rows: Floats) -> float:
        """The mark of the units' vectors, for a metric that is no function of sums."""

    def begin(self, run: MarkRun) -> None:
        """Called before the first unit; a metric that may not be the main mark raises here."""

    def report(self, rows: Floats) -> MetricReport:
        """What there is to know once all units have their vectors; raises if there is no mark."""


# Formats: `readmark.formats`, an object each.


class Format(Protocol):
    """A format of tests, of sittings or of both.

    Only ``recognises`` is required: a format has the members for what it holds.
    """

    def recognises(self, source: Source) -> bool:
        """Whether a file is of this format, by its content (and suffix where that decides)."""

    def read(self, source: Source) -> Test:
        """The test in a file."""

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test; what the format cannot hold is named, one per line."""

    def read_languages(self, source: Source) -> Sequence[Test]:
        """The tests in a file, one for each of its languages; ``read`` refuses several."""

    def write_languages(self, tests: Sequence[Test], path: Path) -> list[str]:
        """Write parallel tests in several languages into one file, as ``write`` does."""

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """The sitting in a file."""

    def read_people(self, source: Source, test: Test) -> list[Sitting]:
        """The sittings of several people in one file."""

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Write a sitting; what the format cannot hold is named, one per line."""


# Analysers: `readmark.analysers`, a class each, named by the language.


class Analyser(Protocol):
    """Analyses texts of one language."""

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text, in order, a batch at a time; only what the layers need is run."""

    def signature(self) -> str:
        """Which analyser this is, short enough for a layer's source."""


# Commands: `readmark.commands` (and `readmark.set_commands`, ...), a `click.Command` each.
# Report sections: `readmark.report_sections`, a function each.


class ReportSection(Protocol):
    """A section of the report's page on one test."""

    def __call__(self, data: SectionData, /) -> Part | None:
        """A part with tables and figures, made from the data; None if there is nothing to show."""


# Works: entry points `readmark.works`, `readmark.adjudications`, an object each.


class ShownWork(Protocol):
    """What a page of the hall needs of work on an item."""

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """What the person's page shows; made of the item's paper alone."""

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """What is wrong or missing in work in progress; made of paper and objects alone."""


class Work(ShownWork, Protocol):
    """What people do on a text in the hall, such as writing questions or judging answers."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """What the work cannot do of a configuration: the path of a member, and a message."""

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str
    ) -> Iterator[WorkItem]:
        """The items of a test, or of its two languages, without records of hidden splits."""

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """Work on a practice or qualifying item compared with its key; empty if all is right."""

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Write people's work as files that every other command reads: in ``people`` one each."""

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Earlier work in a file: person, name of the item, and objects."""


class WorkHooks(Protocol):
    """What a work may have besides the members of ``Work``."""

    pages: Sequence[str]
    """Pages of the hall that only projects of this work have, such as ``panel``."""
    pool: AnswerPool
    """How answers of systems are judged, in projects that keep a task and its sittings."""
    exam: ProjectExam
    """The test that people sit: its questions, its paper and its files."""

    def complete(self, text: str, tests: Sequence[Test], configuration: Configuration) -> str:
        """The text of a new project's file with what comes from the test, such as categories."""

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """What the project keeps of a test besides its items, or instead of them."""

    def follow(self, project: StoredProject, before: Configuration | None) -> None:
        """Do what a new configuration makes necessary; ``before`` is None for a new project."""

    def arrange(
        self, view: ItemView, item: WorkItem, configuration: Configuration, viewer: Viewer
    ) -> ItemView:
        """The view for one person; it may leave objects out, and adds none."""

    def order(
        self, items: Sequence[str], configuration: Configuration, login: str
    ) -> Sequence[str]:
        """The names of the items in the order in which a person gets them."""

    def people_for(self, item: WorkItem, configuration: Configuration) -> int | None:
        """How many people get an item; None for as many as the project says."""

    def keyed_test(self, project: ProjectWork) -> Test:
        """The test with its key, where people's files are sittings that are marked with it."""


class Adjudication(ShownWork, Protocol):
    """How different work of several people on an item becomes one gold, by the work's name."""

    most: int | None
    """How many people's versions of an item can be compared; None for any number."""

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each item of the project on which finished work differs, by its name."""

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """Write the gold and the decisions; ``decided`` has the adjudicators' items and work."""


def _members(protocol: type) -> tuple[str, ...]:
    """What a plug-in must have; docstrings and Python's own names are not among it."""
    named = (*vars(protocol), *getattr(protocol, "__annotations__", ()))
    return tuple(dict.fromkeys(name for name in named if not name.startswith("_")))


REQUIRED = {
    "readmark.kinds": _members(Kind),
    "readmark.candidates": _members(Candidate),
    "readmark.metrics": _members(Metric),
    "readmark.transforms": _members(PaperTransform),
    "readmark.formats": ("recognises",),
    "readmark.analysers": _members(Analyser),
    "readmark.commands": ("callback", "params"),
    "readmark.report_sections": ("__call__",),
    "readmark.works": (*_members(ShownWork), *_members(Work)),
    "readmark.adjudications": (*_members(ShownWork), *_members(Adjudication)),
}
"""The members without which an entry point cannot be used, by group."""

_DECLARED = {
    name
    for hooks in (ClosingNotes, TransformHooks, CandidateHooks, MetricHooks, Format, WorkHooks)
    for name in _members(hooks)
}


def hook(plugin: Any, name: str, default: Any = None) -> Any:
    """An optional member of a plug-in, or the default; it must be declared above."""
    if name not in _DECLARED:
        raise ReadmarkError(f"{name} is no hook: declare it in readmark/hooks.py")
    return getattr(plugin, name, default)


_OF_REPORTING = ("Figure", "Part", "SectionData", "Table")
_OF_WORKS = (
    "AnswerPool",
    "Configuration",
    "ItemView",
    "Objects",
    "PersonsWork",
    "ProjectExam",
    "ProjectMaterials",
    "ProjectWork",
    "StoredProject",
    "TextView",
    "Viewer",
    "WorkFinding",
    "WorkItem",
    "read_project",
)
_IN_ROOMS = {
    **dict.fromkeys(_OF_REPORTING, "readmark.reporting"),
    **dict.fromkeys(_OF_WORKS, "readmark.works"),
}
"""Values of hooks that a room above defines: imported on first use."""


def __getattr__(name: str) -> Any:
    """The values of rooms; names of earlier versions say what to use instead."""
    if name in _IN_ROOMS:
        return getattr(import_module(_IN_ROOMS[name]), name)
    removed = import_module("readmark").REMOVED_NAMES
    if (instead := removed.get(f"hooks.{name}")) is not None:
        raise AttributeError(f"readmark.hooks.{name} is gone: {instead}")
    raise AttributeError(f"module 'readmark.hooks' has no attribute {name!r}")
