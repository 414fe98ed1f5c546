"""What `mark` gives back: the marks of one sitting in parts, and their JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from readmark.core.arrays import Floats
from readmark.core.display import Result, printed
from readmark.core.errors import UsageError
from readmark.core.marksheet import MarkedTest
from readmark.core.pictures import Picture
from readmark.core.records import Number
from readmark.core.seen import SeenPassages
from readmark.core.spent import Spent
from readmark.hooks import Metric
from readmark.marking.calibration import ScoreCalibration
from readmark.marking.differing_slices import DifferingSlices
from readmark.marking.error_counts import Errors
from readmark.marking.kind_extras import ExtraTable
from readmark.marking.marks import By, Mark, by_json, slice_rows
from readmark.marking.metrics import (
    is_additive,
    lower_is_better,
    score_of_units,
    values_of_units,
)
from readmark.marking.people_comparison import ComparedWithPeople
from readmark.marking.tally import Tally
from readmark.marking.terminal import (
    show_full_marks,
    show_marks,
    show_short_marks,
)
from readmark.marking.trend_values import Trends, trends_json


@dataclass(frozen=True, slots=True)
class Repeated:
    """A metric's mark in each repeat, None for one that was not sat, and their standard deviation.

    This is the candidate's own variance; the interval of a mark is the items'.
    """

    scores: Sequence[Number | None]
    deviation: Number | None


def across_repeats(tally: Tally) -> dict[str, Repeated]:
    """Every metric's marks repeat by repeat; nothing when units were asked once."""
    if not tally.repeats:
        return {}
    from statistics import stdev  # it imports decimal and fractions

    not_sat = frozenset(tally.not_sat)
    repeated = {}
    for name, columns in tally.repeats.items():
        metric = tally.metrics[name]
        if not is_additive(metric):
            continue
        scores: list[float | None] = []
        for repeat, column in enumerate(columns):
            value = float(metric.aggregate(column.matrix().sum(axis=0)))
            is_defined = math.isfinite(value) and repeat not in not_sat
            scores.append(value * metric.facts.scale if is_defined else None)
        defined = [score for score in scores if score is not None]
        repeated[name] = Repeated(scores, stdev(defined) if len(defined) > 1 else None)
    return repeated


@dataclass(frozen=True, slots=True)
class MarksCoverage:
    """What was sat and answered of the test, and which answers are to none of its units."""

    units: int
    """How many units were marked."""
    unanswered: Sequence[str]
    """Units that lack an answer, be it in one repeat of several."""
    refused: Sequence[str]
    """The units among the unanswered that a reply declined to answer."""
    errors: Sequence[str]
    """Units with an error row, which count as wrong."""
    unknown: Sequence[str]
    """Ids answered that the test does not have."""
    elsewhere: int
    """How many answers are to units of other splits of the test."""
    unkeyed: int
    """How many units have nothing to be marked against: they are left out."""
    covers: str | None
    """The part of the test that was to be sat, in words; None for the whole."""
    not_sat: Sequence[int]
    """The repeats that were never begun, by the number that rows have."""
    missing: Mapping[int, Sequence[str]]
    """The ids that a repeat which was begun has no row of."""

    @property
    def answered(self) -> int:
        """Units with an answer."""
        return self.units - len(self.unanswered) - len(self.errors)

    def as_json(self) -> dict[str, Any]:
        """The members of the document on units and answers."""
        document: dict[str, Any] = {
            "units": self.units,
            "answered": self.answered,
            "unanswered": list(self.unanswered),
            "errors": list(self.errors),
            "unknown": len(self.unknown),
            "unkeyed": self.unkeyed,
            "covers": self.covers,
        }
        if self.elsewhere:
            document["other_splits"] = self.elsewhere
        if self.refused:
            document["refused"] = list(self.refused)
        if self.not_sat:
            document["not_sat"] = list(self.not_sat)
        if self.missing:
            document["missing"] = {str(repeat): list(ids) for repeat, ids in self.missing.items()}
        return document


@dataclass(frozen=True, slots=True)
class MarksScores:
    """The marks of all units, and what is to be known of each metric's."""

    marks: Mapping[str, Mark]
    metrics: Mapping[str, Metric] = field(repr=False)
    main: str
    """The metric that candidates are compared by, or the first that was marked."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """How many units each metric counts that does not count them all."""
    failed: Mapping[str, int] = field(default_factory=dict)
    """On how many units a metric that asks over a network got no reply, where there are any."""
    repeats: Mapping[str, Repeated] = field(default_factory=dict)
    """Each metric's marks repeat by repeat, when units were asked several times."""
    interval_notes: Sequence[str] = ()
    """What a reader should know of the intervals, one per line."""
    unmet: Sequence[str] = ()
    """The conditions that the user set and that the marks do not meet, one per line."""

    def as_json(self) -> dict[str, Any]:
        """The members of the document on metrics."""
        document: dict[str, Any] = {
            "marks": {name: mark.as_json() for name, mark in self.marks.items()}
        }
        if self.counted:
            document["counted"] = dict(self.counted)
        if self.failed:
            document["failed"] = dict(self.failed)
        if self.repeats:
            document["repeats"] = {name: asdict(marks) for name, marks in self.repeats.items()}
        if self.unmet:
            document["unmet"] = list(self.unmet)
        if self.interval_notes:
            document["interval_notes"] = list(self.interval_notes)
        return document


@dataclass(frozen=True, slots=True)
class MarksSlices:
    """The marks by field, and how they change with the level."""

    by: By
    trends: Trends = field(default_factory=dict)
    """Whether marks fall or rise with the level, where slices were asked by it."""
    derived: Mapping[str, str] = field(default_factory=dict)
    """The rules of the fields that slices were asked by and that the file does not have."""
    offered: Sequence[str] = ()
    """Fields of the test that its units can be broken down by."""
    differing: DifferingSlices | None = None
    """Which slices differ most from the rest; None where nothing can be said."""

    def as_json(self) -> dict[str, Any]:
        """The members of the document on slices."""
        document: dict[str, Any] = {"by": by_json(self.by)}
        if self.trends:
            document["trend"] = trends_json(self.trends)
        if self.derived:
            document["derived"] = dict(self.derived)
        if self.differing is not None:
            document["differing"] = self.differing.as_json()
        return document


@dataclass(frozen=True, slots=True)
class UnitVectors:
    """What marks are made of: each metric's vector on each unit; none where sums were enough."""

    ids: Sequence[str]
    by_metric: Mapping[str, Floats] = field(repr=False)


BEFORE_TABLES = (
    "test",
    "candidate",
    "units",
    "answered",
    "unanswered",
    "errors",
    "unknown",
    "other_splits",
    "unkeyed",
    "covers",
    "marks",
    "by",
    "trend",
    "derived",
    "differing",
    "counted",
    "refused",
    "failed",
    "people",
    "error_classes",
    "spent",
)
AFTER_TABLES = (
    "calibration",
    "repeats",
    "not_sat",
    "missing",
    "seen",
    "unmet",
    "notes",
    "interval_notes",
    "per_unit",
)
"""The members of the document in their order, so that files of two versions can be compared line
by line. Between the two are the kind's tables."""


@dataclass(frozen=True, repr=False)
class Marks(Result):
    """The marks of one sitting: ``marks["f1"].score`` and the rest."""

    test: MarkedTest
    candidate: str
    coverage: MarksCoverage
    scores: MarksScores
    slices: MarksSlices
    people: ComparedWithPeople | None
    """The candidate compared with people, where there are any."""
    classes: Errors | None
    """What is wrong with the answers that are not right, where the kind of test has classes."""
    tables: Mapping[str, ExtraTable]
    """The kind's extra tables, such as the places of the chosen options."""
    calibration: ScoreCalibration
    """How far scores are from being probabilities."""
    spent: Spent
    """Tokens and money, where the candidate counted them."""
    seen: SeenPassages | None
    """How much of what was marked the candidate learnt from, where it did."""
    may_lead: bool
    """Whether the candidate may come first: not on passages that it learnt from, unless asked."""
    notes: Sequence[str]
    """What a reader of the marks should know, one per line."""
    unit_vectors: UnitVectors

    @property
    def marks(self) -> Mapping[str, Mark]:
        """Each metric's mark of all units."""
        return self.scores.marks

    @property
    def by(self) -> By:
        """The marks of each slice, by field and value."""
        return self.slices.by

    @property
    def units(self) -> int:
        """How many units were marked."""
        return self.coverage.units

    @property
    def answered(self) -> int:
        """Units with an answer."""
        return self.coverage.answered

    def __getitem__(self, metric: str) -> Mark:
        return self.marks[metric]

    if not TYPE_CHECKING:  # a type checker knows which attributes there are

        def __getattr__(self, name: str) -> Any:
            """An attribute of 0.5 that is in a part now says in which."""
            instead = import_module("readmark").REMOVED_NAMES.get(f"Marks.{name}")
            gone = f" is gone: {instead}" if instead else ": there is no such attribute"
            raise AttributeError(f"readmark.Marks.{name}{gone}")

    def __repr__(self) -> str:
        return printed(partial(show_short_marks, result=self))

    def per_unit(self) -> dict[str, dict[str, float | None]]:
        """Each metric on each unit alone, unscaled; None where it has none."""
        ids, vectors = self.unit_vectors.ids, self.unit_vectors.by_metric
        if self.units and not vectors:
            raise UsageError("these marks were made without `units`")
        metrics = self.scores.metrics
        columns = [values_of_units(metric, vectors[name]) for name, metric in metrics.items()]
        rows = zip(*columns, strict=True)
        return {id: dict(zip(metrics, row, strict=True)) for id, row in zip(ids, rows, strict=True)}

    def scores_on(self, ids: Sequence[str]) -> dict[str, float | None]:
        """Every metric's score on some of the units alone; None where it is undefined there."""
        places = {id: index for index, id in enumerate(self.unit_vectors.ids)}
        chosen = np.array([places[id] for id in ids], dtype=np.intp)
        scores = {}
        for name, metric in self.scores.metrics.items():
            rows = self.unit_vectors.by_metric[name][chosen]
            score = score_of_units(metric, rows)
            scores[name] = None if score is None else score * metric.facts.scale
        return scores

    def as_json(self, *, units: bool = True) -> dict[str, Any]:
        """The document that ``mark --json`` prints."""
        test = self.test
        document: dict[str, Any] = {
            "test": {
                "name": test.name,
                "paper": test.paper,
                "key": test.key,
                **({"split": test.split} if test.split else {}),
                **({"preparation": test.preparation} if test.preparation else {}),
            },
            "candidate": self.candidate,
            **self.coverage.as_json(),
            **self.scores.as_json(),
            **self.slices.as_json(),
            **{name: table.as_json() for name, table in self.tables.items()},
            "calibration": self.calibration.as_json(),
        }
        if self.people is not None:
            document["people"] = self.people.as_json()
        if self.classes is not None:
            document["error_classes"] = self.classes.as_json(units=units)
        if self.spent.words:
            document["spent"] = self.spent.as_json()
        if self.seen is not None:
            document["seen"] = self.seen.as_json()
        if self.notes:
            document["notes"] = list(self.notes)
        if units:
            document["per_unit"] = self.per_unit()
        members = (*BEFORE_TABLES, *self.tables, *AFTER_TABLES)
        order = [name for name in members if name in document]
        return {**{name: document.pop(name) for name in order}, **document}

    def lower_is_better(self, metric: str) -> bool:
        """Whether a lower mark is the better one."""
        return bool(lower_is_better(self.scores.metrics[metric]))

    def plot(self) -> Picture:
        """A picture of the scores with their intervals, then of the slices, for slides."""
        from readmark.marking.pictures import marks_picture

        return marks_picture(self)

    def show(self, console: Console) -> None:
        """Print the marks overall and by slice, a line on people and what to look at next."""
        show_marks(console, self)

    def show_full(self, console: Console) -> None:
        """Print also the comparison with people, the classes of errors and the signatures."""
        show_full_marks(console, self)

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per metric, overall and in each slice."""
        return slice_rows(self.marks, self.by, self.units)
