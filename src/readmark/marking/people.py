"""People: how well they do on the same units, and the candidate compared with them.

Leave-one-out (CMRC 2018): each person's answer in turn is marked against the others', and the
candidate against the same smaller sets. Panel (SMART): a separate group's sittings are marked
against the whole key, as the candidate is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.display import Result, printed
from readmark.core.errors import UsageError
from readmark.core.marksheet import AUTHORS, UNATTRIBUTED, MarkedTest
from readmark.core.records import Count, Number, distinct_names
from readmark.hooks import Kind, Metric
from readmark.marking.marks import (
    By,
    Clusters,
    Mark,
    Slice,
    by_json,
    counted_units,
    distinct,
    drawn_together,
    finite,
    from_left_out,
    interval_name,
    interval_notes,
    interval_words,
    make_marks,
    signature,
    slice_json,
    slice_rows,
    unit_counts,
    units_by_label,
)
from readmark.marking.metrics import has_ratio, is_additive
from readmark.marking.settings import JACKKNIFE, MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.trend_values import Trends, trends_json
from readmark.statistics.intervals import Interval, interval
from readmark.statistics.jackknife import leave_one_out, t_interval
from readmark.statistics.resampling import Aggregate, cluster_sums

if TYPE_CHECKING:
    from readmark.marking.error_counts import Errors


LEAVE_ONE_OUT = "leave-one-out"
PANEL = "panel"
PEOPLE, REFERENCES = "people", "references"


def people_or_references(test: MarkedTest, method: str | None) -> str:
    """What a figure next to the candidate's is of.

    Answers of a key are people's where the key names them, and its authors are no study of people.
    """
    wrote_the_key = test.people in (AUTHORS, UNATTRIBUTED)
    return REFERENCES if wrote_the_key and method != PANEL else PEOPLE


@dataclass(frozen=True, slots=True)
class PeopleComparison:
    """A candidate's mark and people's on the same reference sets, and their ratio's interval.

    A metric that is no ratio scale has the difference and its interval instead.
    """

    machine: Number | None
    people: Number | None
    ratio: Number | None
    low: Number | None
    high: Number | None
    difference: Number | None = None
    machine_units: Count | None = None
    """How many units the candidate's mark counts, where that is not all of them."""
    people_units: Count | None = None
    """The same of people's."""

    def as_json(self) -> dict[str, Any]:
        """The difference only where it takes the ratio's place, units where they are not all."""
        document = asdict(self)
        for name in ("difference", "machine_units", "people_units"):
            if document[name] is None:
                del document[name]
        return document


@dataclass(frozen=True, slots=True)
class PeopleComparisonSlice:
    """The comparison on the units that share a value of a field."""

    units: int
    marks: Mapping[str, PeopleComparison]


@dataclass(frozen=True, slots=True)
class ComparedWithPeople:
    """A candidate compared with people, overall and by slice."""

    method: str
    units: int
    skipped: int
    marks: Mapping[str, PeopleComparison]
    by: Mapping[str, Mapping[str, PeopleComparisonSlice]]
    clusters: int
    """How many passages, series or documents the units are of."""
    who: str = PEOPLE
    """``people``, or ``references`` where those of the key are no study of people."""
    has_ratios: bool = True
    """False where the candidate learnt from what it was marked on, so that a ratio says nothing."""

    def without_ratios(self) -> ComparedWithPeople:
        """The marks of both without the ratio or difference of the two."""

        def apart(marks: Mapping[str, PeopleComparison]) -> dict[str, PeopleComparison]:
            return {
                name: replace(one, ratio=None, low=None, high=None, difference=None)
                for name, one in marks.items()
            }

        by = {
            name: {label: replace(part, marks=apart(part.marks)) for label, part in values.items()}
            for name, values in self.by.items()
        }
        return replace(self, marks=apart(self.marks), by=by, has_ratios=False)

    def as_json(self) -> dict[str, Any]:
        """The member ``people`` of what ``mark --json`` prints."""
        return {
            "method": self.method,
            "who": self.who,
            "units": self.units,
            "skipped": self.skipped,
            "clusters": self.clusters,
            "marks": {name: one.as_json() for name, one in self.marks.items()},
            "by": {
                name: {
                    label: {
                        "units": part.units,
                        **{metric: one.as_json() for metric, one in part.marks.items()},
                    }
                    for label, part in values.items()
                }
                for name, values in self.by.items()
            },
        }


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
        return PEOPLE if self.test is None else people_or_references(self.test, self.method)

    def as_json(self) -> dict[str, Any]:
        """The document that ``people --json`` prints."""
        test = self.test
        named = {} if test is None else {"name": test.name, "paper": test.paper, "key": test.key}
        if test is not None and test.split:
            named["split"] = test.split
        document: dict[str, Any] = {
            **({"test": named} if named else {}),
            "method": self.method,
            "who": self.who,
            "units": self.units,
            "skipped": self.skipped,
            "marks": {name: asdict(mark) for name, mark in self.marks.items()},
            "by": by_json(self.by),
            "each": {person: slice_json(own) for person, own in self.each.items()},
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

    def show(self, console: Console) -> None:
        """Print people's marks overall, by slice and person by person."""
        from readmark.marking.terminal import show_people

        show_people(console, self)

    def show_full(self, console: Console) -> None:
        """Print also everybody's intervals, the classes of wrong answers and the signatures."""
        from readmark.marking.terminal import show_people

        show_people(console, self, full=True)

    def __repr__(self) -> str:
        from readmark.marking.terminal import show_short_people

        return printed(lambda console: show_short_people(console, self))

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per metric, overall and in each slice."""
        return slice_rows(self.marks, self.by, self.units)

    def _repr_html_(self) -> str:
        from readmark.marking.terminal import marks_html, people_headline

        return marks_html(
            people_headline(self).plain, self.marks, self.by, self.units, self.counted
        )


@dataclass(frozen=True, slots=True)
class _Columns:
    """People's columns of one metric, and the candidate's on the same references."""

    machine: Floats
    people: Sequence[Floats]

    def chosen(self, units: Ints) -> _Columns:
        return _Columns(self.machine[units], [person[units] for person in self.people])


def compare_with_people(tally: Tally, method: str, settings: MarkSettings) -> ComparedWithPeople:
    """The candidate compared with people, overall and for every field of the tally."""
    counted = _counted(tally, method)
    columns = {
        name: _columns(tally, method, name)
        for name, metric in tally.metrics.items()
        if is_additive(metric)
    }

    def marks(units: Ints) -> dict[str, PeopleComparison]:
        chosen = {name: columns[name].chosen(units) for name in columns}
        sums = {
            name: _sums([columns.machine, *columns.people], tally.groups[units])
            for name, columns in chosen.items()
        }
        drawn = _drawn(sums, settings)
        machine = counted_units(
            tally.metrics, {name: columns.machine for name, columns in chosen.items()}
        )
        people = _people_counted(tally.metrics, chosen)
        return {
            name: replace(
                _comparison(tally.metrics[name], sums[name], drawn.get(name), settings),
                machine_units=machine.get(name),
                people_units=people.get(name),
            )
            for name in sums
        }

    everyone = np.flatnonzero(counted)
    by = {
        field: {label: PeopleComparisonSlice(len(units), marks(units)) for label, units in parts}
        for field, parts in _parts(tally, counted)
    }
    skipped = len(counted) - len(everyone)
    clusters = len(distinct(tally.groups[everyone]))
    return ComparedWithPeople(method, len(everyone), skipped, marks(everyone), by, clusters)


def people_marks(tally: Tally, method: str, kind: Kind, settings: MarkSettings) -> PeopleMarks:
    """People's own marks: the mean over people of each one's score."""
    counted = _counted(tally, method)
    columns = {
        name: _columns(tally, method, name)
        for name, metric in tally.metrics.items()
        if is_additive(metric)
    }

    def marks(units: Ints) -> dict[str, Mark]:
        chosen = {name: one.chosen(units).people for name, one in columns.items()}
        sums = {name: _sums(people, tally.groups[units]) for name, people in chosen.items()}
        drawn = _drawn(sums, settings)
        words = interval_words(settings, bca=False)
        marks_found = {}
        for name in sums:
            metric = tally.metrics[name]
            metric_signature = signature(name, metric, kind, settings, people=method, **words)
            counts = unit_counts(metric, *chosen[name])
            mark = _people_mark(metric, sums[name], drawn.get(name), int(counts.sum()), settings)
            clusters = len(distinct(tally.groups[units][counts]))
            marks_found[name] = Mark(*mark, metric.facts.scale, metric_signature, clusters)
        return marks_found

    def of(units: Ints) -> dict[str, int]:
        return _people_counted(
            tally.metrics, {name: one.chosen(units) for name, one in columns.items()}
        )

    everyone = np.flatnonzero(counted)
    by = {
        name: {label: Slice(len(units), marks(units), of(units)) for label, units in parts}
        for name, parts in _parts(tally, counted)
    }
    skipped = len(counted) - len(everyone)
    overall = marks(everyone)
    return PeopleMarks(
        method,
        len(everyone),
        skipped,
        overall,
        by,
        _each_person(tally, kind, settings),
        counted=of(everyone),
        interval_notes=interval_notes(
            overall, by, kind.record_noun, interval_name(settings, bca=False)
        ),
    )


def _each_person(tally: Tally, kind: Kind, settings: MarkSettings) -> dict[str, Slice]:
    """The marks of every person on the units that the person answered."""
    each = {}
    for person, columns in (tally.each or {}).items():
        units = np.frombuffer(columns.units, dtype=np.int64)
        vectors = {name: column.matrix() for name, column in columns.vectors.items()}
        marks = make_marks(tally.metrics, vectors, tally.groups[units], kind, settings)
        each[person] = Slice(len(units), marks, counted_units(tally.metrics, vectors))
    return each


def _people_counted(
    metrics: Mapping[str, Metric], columns: Mapping[str, _Columns]
) -> dict[str, int]:
    """How many units each metric counts of anybody, where that is not all of them."""
    people = zip(*(value.people for value in columns.values()), strict=True)
    several = [dict(zip(columns, person, strict=True)) for person in people]
    return counted_units(metrics, *several) if several else {}


def undefined_people(tally: Tally, names: Sequence[str]) -> list[str]:
    """Of whom of a panel a metric is undefined, so that people's figure is a mean of the others."""
    lines = []
    for name, metric in tally.metrics.items():
        if not is_additive(metric) or metric.facts.from_people:
            continue
        columns = _columns(tally, PANEL, name).people
        values = [float(metric.aggregate(column.sum(axis=0))) for column in columns]
        several = zip(distinct_names(names), values, strict=True)
        without = [person for person, value in several if not math.isfinite(value)]
        if without:
            defined = len(values) - len(without)
            mean = (
                f"people's is the mean of {defined} of {len(values)}"
                if defined
                else "so is people's"
            )
            lines.append(f"{name} is undefined for {', '.join(without)}: {mean}")
    return lines


def _counted(tally: Tally, method: str) -> Bools:
    """Which units have people's vectors."""
    if method == LEAVE_ONE_OUT:
        return np.frombuffer(tally.alone_units, dtype=np.bool_)
    if method != PANEL:
        raise UsageError(f"method {method!r} is not one of {LEAVE_ONE_OUT}|{PANEL}")
    return np.frombuffer(tally.panel_units, dtype=np.bool_)


def _columns(tally: Tally, method: str, name: str) -> _Columns:
    if method == LEAVE_ONE_OUT:
        machine, people = tally.alone[name]
        return _Columns(machine.matrix(), [people.matrix()])
    return _Columns(tally.vectors[name].matrix(), [column.matrix() for column in tally.panel[name]])


def person_columns(tally: Tally, method: str, name: str) -> tuple[Floats, Sequence[Floats], Bools]:
    """A metric's vectors of the candidate and of people on the same references, and which units
    people answered."""
    columns = _columns(tally, method, name)
    return columns.machine, columns.people, _counted(tally, method)


def _parts(tally: Tally, counted: Bools) -> Iterator[tuple[str, list[tuple[str, Ints]]]]:
    """Every field with its values and the counted units of each; empty ones are left out."""
    for asked, labels in tally.fields.items():
        parts = ((label, units[counted[units]]) for label, units in units_by_label(labels))
        yield asked, [(label, units) for label, units in parts if len(units)]


def _drawn(sums: Mapping[str, Floats], settings: MarkSettings) -> dict[str, Floats]:
    """The draws of every metric; none where intervals are made without."""
    return {} if settings.interval == JACKKNIFE else drawn_together(sums, settings)


def _interval(
    sums: Floats, drawn: Floats | None, statistic: Aggregate, least: float, settings: MarkSettings
) -> Interval:
    """The interval of a statistic of sums, from the draws or else from leaving clusters out."""
    level = settings.confidence
    if drawn is not None:
        return interval(statistic(drawn), level=level)
    observed = float(statistic(sums.sum(axis=0)))
    return t_interval(observed, leave_one_out(sums, statistic), level=level, least=least)


def _comparison(
    metric: Metric, sums: Floats, drawn: Floats | None, settings: MarkSettings
) -> PeopleComparison:
    machine, people = _two(metric, sums.sum(axis=0))

    def difference(several: Floats) -> Floats:
        machine, people = _two(metric, several)
        return machine - people

    def quotient(several: Floats) -> Floats:
        machine, people = _two(metric, several)
        return machine / people

    if not has_ratio(metric):
        away = finite(float(machine - people))
        low, high = _interval(sums, drawn, difference, -math.inf, settings)
        if away is None:
            low, high = None, None
        return PeopleComparison(
            _scaled(finite(float(machine)), metric),
            _scaled(finite(float(people)), metric),
            None,
            _scaled(low, metric),
            _scaled(high, metric),
            _scaled(away, metric),
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(machine / people) if people else float("nan")
        low, high = _interval(sums, drawn, quotient, 0.0, settings)
    if not math.isfinite(ratio):  # draws that miss what makes it undefined say nothing of it
        low, high = None, None
    return PeopleComparison(
        _scaled(finite(float(machine)), metric),
        _scaled(finite(float(people)), metric),
        finite(ratio),
        low,
        high,
    )


def _people_mark(
    metric: Metric, sums: Floats, drawn: Floats | None, units: int, settings: MarkSettings
) -> tuple[float | None, float | None, float | None]:
    def mean(several: Floats) -> Floats:
        return _mean_person(metric, several)

    if drawn is None:
        score, low, high = from_left_out(metric, sums, mean, units, settings)
    else:
        score = finite(float(mean(sums.sum(axis=0))))
        low, high = interval(mean(drawn), level=settings.confidence)
    return _scaled(score, metric), _scaled(low, metric), _scaled(high, metric)


def _sums(columns: Sequence[Floats], groups: Ints) -> Floats:
    clusters = Clusters.of(groups)
    return np.hstack([cluster_sums(column, clusters.codes, clusters.count) for column in columns])


def _two(metric: Metric, sums: Floats) -> tuple[Floats, Floats]:
    return metric.aggregate(sums[..., : metric.facts.width]), _mean_person(
        metric, sums[..., metric.facts.width :]
    )


def _mean_person(metric: Metric, sums: Floats) -> Floats:
    """The mean over people of each one's mark; someone who sat none of the units has none."""
    each = [
        metric.aggregate(sums[..., start : start + metric.facts.width])
        for start in range(0, sums.shape[-1], metric.facts.width)
    ]
    stacked = np.stack(each)
    defined = np.isfinite(stacked)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(defined, stacked, 0.0).sum(axis=0) / defined.sum(axis=0))


def _scaled(value: float | None, metric: Metric) -> float | None:
    return None if value is None else value * metric.facts.scale
