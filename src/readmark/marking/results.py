"""What `mark` gives back: the marks of one sitting, with their units' values and their JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console

from readmark.core.arrays import Floats
from readmark.core.display import Result, printed
from readmark.core.errors import UsageError
from readmark.core.marksheet import MarkedTest
from readmark.core.records import Number
from readmark.core.seen import SeenPassages
from readmark.core.sitting import Spent
from readmark.hooks import Metric, hook
from readmark.marking.calibration import ScoreCalibration
from readmark.marking.error_counts import Errors
from readmark.marking.kind_extras import ExtraTable
from readmark.marking.marks import By, Mark, by_json, counted_units, slice_rows
from readmark.marking.people import ComparedWithPeople
from readmark.marking.tally import Tally
from readmark.marking.terminal import (
    marks_headline,
    marks_html,
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
    from statistics import stdev

    found = {}
    not_sat = frozenset(tally.not_sat)
    for name, columns in tally.repeats.items():
        metric = tally.metrics[name]
        if metric.additive:
            values = [float(metric.aggregate(column.matrix().sum(axis=0))) for column in columns]
            scores = [
                value * metric.scale if math.isfinite(value) and index not in not_sat else None
                for index, value in enumerate(values)
            ]
            known = [score for score in scores if score is not None]
            found[name] = Repeated(scores, stdev(known) if len(known) > 1 else None)
    return found


@dataclass(frozen=True, repr=False)
class Marks(Result):
    """The marks of one sitting: ``marks["f1"].score`` and the rest."""

    test: MarkedTest
    candidate: str
    units: int
    unanswered: Sequence[str]
    errors: Sequence[str]
    unknown: Sequence[str]
    unkeyed: int
    covers: str | None
    marks: Mapping[str, Mark]
    by: By
    people: ComparedWithPeople | None
    repeats: Mapping[str, Repeated]
    """Each metric's marks repeat by repeat, when units were asked several times."""
    not_sat: Sequence[int]
    """The repeats that were never begun, by the number that rows have."""
    missing: Mapping[int, Sequence[str]]
    """The ids that a repeat which was begun has no row of."""
    ids: Sequence[str] = field(repr=False)
    """Those of the units; none where only sums were held, and no vectors then."""
    vectors: Mapping[str, Floats] = field(repr=False)
    metrics: Mapping[str, Metric] = field(repr=False)
    classes: Errors | None = None
    """What is wrong with the answers that are not right, where the kind of test has classes."""
    notes: Sequence[str] = ()
    """What a reader of the marks should know, one per line."""
    spent: Spent = field(default_factory=Spent)
    """Tokens and money, where the candidate counted them."""
    tables: Mapping[str, ExtraTable] = field(default_factory=dict)
    """The kind's extra tables, such as the places of the chosen options."""
    failed: Mapping[str, int] = field(default_factory=dict)
    """On how many units a metric that asks over a network got no reply, where there are any."""
    calibration: ScoreCalibration | None = None
    """How far scores are from being probabilities; for people there is none."""
    interval_notes: Sequence[str] = ()
    """What a reader should know of the intervals, one per line."""
    main_metric: str = ""
    """The metric that candidates are compared by, or the first that was marked."""
    slice_fields: Sequence[str] = ()
    """Fields of the test that its units can be broken down by."""
    unmet: Sequence[str] = ()
    """The conditions that the user set and that the marks do not meet, one per line."""
    derived: Mapping[str, str] = field(default_factory=dict)
    """The rules of the fields that slices were asked by and that the file does not have."""
    elsewhere: int = 0
    """How many answers are to units of other splits of the test."""
    uncounted: Mapping[str, int] = field(default_factory=dict)
    """How many units each metric does not count, where only sums were held."""
    trends: Trends = field(default_factory=dict)
    """Whether marks fall or rise with the level, where slices were asked by it."""
    refused: Sequence[str] = ()
    """The units among the unanswered that a reply declined to answer."""
    seen: SeenPassages | None = None
    """How much of what was marked the candidate learnt from, where it did."""
    count_seen: bool = False
    """Whether it may lead all the same, as was asked."""

    def __getitem__(self, metric: str) -> Mark:
        return self.marks[metric]

    def __repr__(self) -> str:
        return printed(lambda console: show_short_marks(console, self))

    def _repr_html_(self) -> str:
        return marks_html(
            marks_headline(self).plain, self.marks, self.by, self.units, self.counted()
        )

    @property
    def answered(self) -> int:
        """Units with an answer."""
        return self.units - len(self.unanswered) - len(self.errors)

    def counted(self) -> dict[str, int]:
        """How many units each metric counts that does not count them all."""
        if not self.vectors:
            return {name: self.units - count for name, count in self.uncounted.items()}
        return counted_units(self.metrics, self.vectors)

    def per_unit(self) -> dict[str, dict[str, float | None]]:
        """Each metric on each unit alone, unscaled; None where it has none."""
        if self.units and not self.vectors:
            raise UsageError("these marks were made without `units`")
        columns = {
            name: _alone(metric, self.vectors[name]) for name, metric in self.metrics.items()
        }
        names = list(columns)
        rows = zip(*columns.values(), strict=True)
        return {
            id: dict(zip(names, row, strict=True)) for id, row in zip(self.ids, rows, strict=True)
        }

    def as_json(self, *, units: bool = True) -> dict[str, Any]:
        """The document that ``mark --json`` prints."""
        document: dict[str, Any] = {
            "test": {
                "name": self.test.name,
                "paper": self.test.paper,
                "key": self.test.key,
                **({"split": self.test.split} if self.test.split else {}),
                **({"preparation": self.test.preparation} if self.test.preparation else {}),
            },
            "candidate": self.candidate,
            "units": self.units,
            "answered": self.answered,
            "unanswered": list(self.unanswered),
            "errors": list(self.errors),
            "unknown": len(self.unknown),
            **({"other_splits": self.elsewhere} if self.elsewhere else {}),
            "unkeyed": self.unkeyed,
            "covers": self.covers,
            "marks": {name: asdict(mark) for name, mark in self.marks.items()},
            "by": by_json(self.by),
        }
        if self.trends:
            document["trend"] = trends_json(self.trends)
        if self.derived:
            document["derived"] = dict(self.derived)
        if counted := self.counted():
            document["counted"] = counted
        if self.refused:
            document["refused"] = list(self.refused)
        if self.failed:
            document["failed"] = dict(self.failed)
        if self.people is not None:
            document["people"] = self.people.as_json()
        if self.classes is not None:
            document["error_classes"] = self.classes.as_json(units=units)
        if self.spent.words:
            document["spent"] = self.spent.as_json()
        document |= {name: table.as_json() for name, table in self.tables.items()}
        if self.calibration is not None:
            document["calibration"] = self.calibration.as_json()
        if self.repeats:
            document["repeats"] = {
                name: asdict(repeated) for name, repeated in self.repeats.items()
            }
        if self.not_sat:
            document["not_sat"] = list(self.not_sat)
        if self.missing:
            document["missing"] = {str(at): list(ids) for at, ids in self.missing.items()}
        if self.seen is not None:
            document["seen"] = self.seen.as_json()
        if self.unmet:
            document["unmet"] = list(self.unmet)
        if self.notes:
            document["notes"] = list(self.notes)
        if self.interval_notes:
            document["interval_notes"] = list(self.interval_notes)
        if units:
            document["per_unit"] = self.per_unit()
        return document

    @property
    def may_lead(self) -> bool:
        """Whether the candidate may come first: not on passages that it learnt from."""
        return self.seen is None or self.count_seen

    def lower_is_better(self, metric: str) -> bool:
        """Whether a lower mark is the better one."""
        return bool(hook(self.metrics[metric], "lower_is_better", False))

    def show(self, console: Console) -> None:
        """Print the marks overall and by slice, a line on people and what to look at next."""
        show_marks(console, self)

    def show_full(self, console: Console) -> None:
        """Print also the comparison with people, the classes of errors and the signatures."""
        show_full_marks(console, self)

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per metric, overall and in each slice."""
        return slice_rows(self.marks, self.by, self.units)


def _alone(metric: Metric, vectors: Floats) -> list[float | None]:
    if not metric.additive:
        return [None] * len(vectors)
    values = metric.aggregate(vectors).tolist()
    return [value if math.isfinite(value) else None for value in values]
