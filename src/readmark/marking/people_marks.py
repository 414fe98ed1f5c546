"""How well people do: their own marks, as the mean over people of each one's score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from readmark.core.arrays import Floats, Ints
from readmark.core.display import Result, printed
from readmark.core.marksheet import PANEL, PEOPLE, MarkedTest
from readmark.core.numbers import finite
from readmark.core.pictures import Picture
from readmark.core.records import distinct_names
from readmark.hooks import Kind, Metric
from readmark.marking.estimates import ScoreInterval, drawn_together, from_left_out
from readmark.marking.interval_notes import interval_notes
from readmark.marking.marks import (
    By,
    Mark,
    Slice,
    by_json,
    make_marks,
    slice_rows,
    unit_counts,
)
from readmark.marking.metrics import is_additive
from readmark.marking.people_columns import (
    PeopleColumns,
    mean_person,
    people_columns,
    slices_with_people,
    sums_by_cluster,
    units_with_people,
)
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.trend_values import Trends, trends_json
from readmark.statistics.groups import distinct
from readmark.statistics.intervals import interval

if TYPE_CHECKING:
    from readmark.marking.error_counts import Errors


@dataclass(frozen=True, repr=False)
class PeopleMarks(Result):
    """People's own marks; ``each`` has every person's, under a distinct name.

    A panel's member is marked against the whole key, an annotator of the key against the others.
    """

    method: str
    units: int
    skipped: int
    marks: Mapping[str, Mark]
    by: By
    each: Mapping[str, Slice]
    classes: Errors | None = None
    """What is wrong with people's answers that are not right."""
    notes: Sequence[str] = ()
    """What a reader of the marks should know, one per line."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """How many units each metric counts that does not count them all."""
    interval_notes: Sequence[str] = ()
    """What a reader should know of the intervals, one per line."""
    test: MarkedTest | None = None
    """The test that they sat; None inside a table of several tests."""
    derived: Mapping[str, str] = field(default_factory=dict)
    """The rules of the fields that slices were asked by and that the file does not have."""
    trends: Trends = field(default_factory=dict)
    """Whether marks fall or rise with the level, where slices were asked by it."""

    @property
    def who(self) -> str:
        """``people``, or ``references`` where those of the key are no study of people."""
        return PEOPLE if self.test is None else self.test.who(self.method)

    def as_json(self) -> dict[str, Any]:
        """The document that ``people --json`` prints."""
        document: dict[str, Any] = {}
        if (test := self.test) is not None:
            document["test"] = {"name": test.name, "paper": test.paper, "key": test.key}
            if test.split:
                document["test"]["split"] = test.split
        document |= {
            "method": self.method,
            "who": self.who,
            "units": self.units,
            "skipped": self.skipped,
            "marks": {name: mark.as_json() for name, mark in self.marks.items()},
            "by": by_json(self.by),
            "each": {person: marks.as_json() for person, marks in self.each.items()},
        }
        if self.trends:
            document["trend"] = trends_json(self.trends)
        if self.derived:
            document["derived"] = dict(self.derived)
        if self.counted:
            document["counted"] = dict(self.counted)
        if self.classes is not None:
            document["error_classes"] = self.classes.as_json(units=False)
        if self.interval_notes:
            document["interval_notes"] = list(self.interval_notes)
        return document

    def plot(self) -> Picture:
        """A picture of people's scores with their intervals, and each person's, for slides."""
        from readmark.marking.pictures import people_picture

        return people_picture(self)

    def show(self, console: Console) -> None:
        """Print people's marks overall, by slice and person by person."""
        from readmark.marking.people_terminal import show_people

        show_people(console, self)

    def show_full(self, console: Console) -> None:
        """Print also everybody's intervals, the classes of wrong answers and the signatures."""
        from readmark.marking.people_terminal import show_people

        show_people(console, self, full=True)

    def __repr__(self) -> str:
        from readmark.marking.people_terminal import show_short_people

        return printed(partial(show_short_people, result=self))

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per metric, overall and in each slice."""
        return slice_rows(self.marks, self.by, self.units)


def people_marks(tally: Tally, method: str, kind: Kind, settings: MarkSettings) -> PeopleMarks:
    """People's own marks, overall, for every field of the tally and person by person."""
    has_people = units_with_people(tally, method)
    columns = people_columns(tally, method)
    percentile = settings.without_bca()
    signatures = {
        name: percentile.signature(
            name,
            tally.metrics[name],
            kind.record_noun,
            people=method,
            **percentile.interval_rules(),
        )
        for name in columns
    }

    def of_units(units: Ints) -> Slice:
        chosen = {name: people.chosen(units) for name, people in columns.items()}
        marks = _mean_marks(tally, chosen, tally.groups[units], signatures, percentile)
        return Slice(len(units), marks)

    everyone = of_units(np.flatnonzero(has_people))
    by = {
        name: {label: of_units(units) for label, units in slices}
        for name, slices in slices_with_people(tally, has_people)
    }
    return PeopleMarks(
        method,
        everyone.units,
        len(has_people) - everyone.units,
        everyone.marks,
        by,
        _each_person(tally, kind, settings),
        counted=everyone.counted,
        interval_notes=interval_notes(everyone.marks, by, kind.record_noun, percentile.interval),
    )


def _mean_marks(
    tally: Tally,
    columns: Mapping[str, PeopleColumns],
    groups: Ints,
    signatures: Mapping[str, str],
    settings: MarkSettings,
) -> dict[str, Mark]:
    """Every metric's mean over people on some units; all are drawn together."""
    sums = {name: sums_by_cluster(vectors.people, groups) for name, vectors in columns.items()}
    drawn = drawn_together(sums, settings)
    marks = {}
    for name, vectors in columns.items():
        metric = tally.metrics[name]
        counts = unit_counts(metric, *vectors.people)
        estimate = _mean_mark(metric, sums[name], drawn.get(name), int(counts.sum()), settings)
        scale = metric.facts.scale
        score, low, high = (None if value is None else value * scale for value in estimate)
        marks[name] = Mark(
            score,
            low,
            high,
            scale,
            signatures[name],
            clusters=len(distinct(groups[counts])),
            units=None if counts.all() else int(counts.sum()),
        )
    return marks


def _mean_mark(
    metric: Metric, sums: Floats, drawn: Floats | None, units: int, settings: MarkSettings
) -> ScoreInterval:
    mean = partial(mean_person, metric)
    if drawn is None:
        return from_left_out(metric, sums, mean, units, settings)
    score = finite(float(mean(sums.sum(axis=0))))
    return score, *interval(mean(drawn), level=settings.confidence)


def _each_person(tally: Tally, kind: Kind, settings: MarkSettings) -> dict[str, Slice]:
    """The marks of every person on the units that the person answered."""
    each = {}
    for person, columns in (tally.each or {}).items():
        units = np.frombuffer(columns.units, dtype=np.int64)
        vectors = {name: column.matrix() for name, column in columns.vectors.items()}
        marks = make_marks(tally.metrics, vectors, tally.groups[units], kind, settings)
        each[person] = Slice(len(units), marks)
    return each


def undefined_people(tally: Tally, names: Sequence[str]) -> list[str]:
    """Which members of a panel a metric is undefined for: people's figure is the others' mean."""
    lines = []
    for name, metric in tally.metrics.items():
        if not is_additive(metric) or metric.facts.from_people:
            continue
        columns = PeopleColumns.of(tally, PANEL, name).people
        values = [float(metric.aggregate(column.sum(axis=0))) for column in columns]
        people = zip(distinct_names(names), values, strict=True)
        without = [person for person, value in people if not math.isfinite(value)]
        if without:
            defined = len(values) - len(without)
            mean = f"people's is the mean of {defined} of {len(values)}"
            theirs = mean if defined else "so is people's"
            lines.append(f"{name} is undefined for {', '.join(without)}: {theirs}")
    return lines
