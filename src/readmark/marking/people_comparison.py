"""The candidate compared with people, on the same references: a ratio, or else a difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.marksheet import PEOPLE
from readmark.core.numbers import finite
from readmark.core.records import BoundedCount, Number
from readmark.hooks import Metric
from readmark.marking.estimates import drawn_together
from readmark.marking.marks import unit_counts
from readmark.marking.metrics import has_ratio
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
from readmark.statistics.groups import distinct
from readmark.statistics.intervals import Interval, interval
from readmark.statistics.jackknife import leave_one_out, t_interval
from readmark.statistics.resampling import Aggregate

_RATIO_NAMES = {"facts": "PR_F", "inferences": "PR_I"}


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
    machine_units: BoundedCount | None = None
    """How many units the candidate's mark counts, where that is not all of them."""
    people_units: BoundedCount | None = None
    """The same of people's."""

    def as_json(self) -> dict[str, Any]:
        """The difference only where it takes the ratio's place, units where they are not all."""
        document = asdict(self)
        for name in ("difference", "machine_units", "people_units"):
            if document[name] is None:
                del document[name]
        return document

    @staticmethod
    def ratio_name(metric: str) -> str | None:
        """What "The DARPA Machine Reading Program" calls a metric's ratio to people, if it does."""
        return _RATIO_NAMES.get(metric.partition("(")[0])

    def without_ratio(self) -> PeopleComparison:
        """The marks of both without the ratio or difference of the two."""
        return replace(self, ratio=None, low=None, high=None, difference=None)


@dataclass(frozen=True, slots=True)
class PeopleSlice:
    """The comparison on the units that share a value of a field."""

    units: int
    marks: Mapping[str, PeopleComparison]

    def without_ratios(self) -> PeopleSlice:
        """The marks of both without the ratios or differences of the two."""
        marks = {name: comparison.without_ratio() for name, comparison in self.marks.items()}
        return replace(self, marks=marks)

    def as_json(self) -> dict[str, Any]:
        """Units, then every metric's comparison."""
        return {
            "units": self.units,
            **{name: comparison.as_json() for name, comparison in self.marks.items()},
        }


@dataclass(frozen=True, slots=True)
class ComparedWithPeople:
    """A candidate compared with people, overall and by slice."""

    method: str
    units: int
    skipped: int
    marks: Mapping[str, PeopleComparison]
    by: Mapping[str, Mapping[str, PeopleSlice]]
    clusters: int
    """How many passages, series or documents the units are of."""
    who: str = PEOPLE
    """``people``, or ``references`` where those of the key are no study of people."""
    has_ratios: bool = True
    """False where the candidate learnt from what it was marked on, so that a ratio says nothing."""

    def without_ratios(self) -> ComparedWithPeople:
        """The marks of both without the ratios or differences of the two."""
        by = {
            name: {label: part.without_ratios() for label, part in values.items()}
            for name, values in self.by.items()
        }
        marks = {name: comparison.without_ratio() for name, comparison in self.marks.items()}
        return replace(self, marks=marks, by=by, has_ratios=False)

    def as_json(self) -> dict[str, Any]:
        """The member ``people`` of what ``mark --json`` prints."""
        return {
            "method": self.method,
            "who": self.who,
            "units": self.units,
            "skipped": self.skipped,
            "clusters": self.clusters,
            "marks": {name: comparison.as_json() for name, comparison in self.marks.items()},
            "by": {
                name: {label: part.as_json() for label, part in values.items()}
                for name, values in self.by.items()
            },
        }


def compare_with_people(tally: Tally, method: str, settings: MarkSettings) -> ComparedWithPeople:
    """The candidate compared with people, overall and for every field of the tally."""
    has_people = units_with_people(tally, method)
    everyone = np.flatnonzero(has_people)
    return ComparedWithPeople(
        method,
        units=len(everyone),
        skipped=len(has_people) - len(everyone),
        marks=_comparisons(tally, people_columns(tally, method), everyone, settings),
        by=compare_slices_with_people(tally, method, settings),
        clusters=len(distinct(tally.groups[everyone])),
    )


def compare_slices_with_people(
    tally: Tally, method: str, settings: MarkSettings
) -> dict[str, dict[str, PeopleSlice]]:
    """The comparison by every field of the tally, on the units of each value that have people."""
    columns = people_columns(tally, method)
    return {
        name: {
            label: PeopleSlice(len(units), _comparisons(tally, columns, units, settings))
            for label, units in slices
        }
        for name, slices in slices_with_people(tally, units_with_people(tally, method))
    }


def _comparisons(
    tally: Tally, columns: Mapping[str, PeopleColumns], units: Ints, settings: MarkSettings
) -> dict[str, PeopleComparison]:
    """Every metric's comparison on some units; all are drawn together."""
    chosen = {name: people.chosen(units) for name, people in columns.items()}
    groups = tally.groups[units]
    sums = {
        name: sums_by_cluster([vectors.machine, *vectors.people], groups)
        for name, vectors in chosen.items()
    }
    drawn = drawn_together(sums, settings)
    comparisons = {}
    for name, vectors in chosen.items():
        metric = tally.metrics[name]
        comparisons[name] = replace(
            _comparison(metric, sums[name], drawn.get(name), settings),
            machine_units=_fewer(unit_counts(metric, vectors.machine)),
            people_units=_fewer(unit_counts(metric, *vectors.people)),
        )
    return comparisons


def _fewer(counts: Bools) -> int | None:
    """How many units are counted, where that is not all of them."""
    return None if counts.all() else int(counts.sum())


def _comparison(
    metric: Metric, sums: Floats, drawn: Floats | None, settings: MarkSettings
) -> PeopleComparison:
    """A metric's comparison from sums by cluster: the candidate's, then each person's."""
    width, scale = metric.facts.width, metric.facts.scale

    def marks_of(sums: Floats) -> tuple[Floats, Floats]:
        return metric.aggregate(sums[..., :width]), mean_person(metric, sums[..., width:])

    def difference(sums: Floats) -> Floats:
        machine, people = marks_of(sums)
        return machine - people

    def quotient(sums: Floats) -> Floats:
        machine, people = marks_of(sums)
        return machine / people

    def scaled(value: float | None) -> float | None:
        return None if value is None else value * scale

    machine, people = marks_of(sums.sum(axis=0))
    marks = scaled(finite(float(machine))), scaled(finite(float(people)))
    # Draws that miss what makes the value undefined say nothing of it, so it has no interval.
    if not has_ratio(metric):
        away = finite(float(machine - people))
        low, high = _interval(sums, drawn, difference, -math.inf, settings)
        if away is None:
            low = high = None
        return PeopleComparison(*marks, None, scaled(low), scaled(high), scaled(away))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = finite(float(machine / people)) if people else None
        low, high = _interval(sums, drawn, quotient, 0.0, settings)
    if ratio is None:
        low = high = None
    return PeopleComparison(*marks, ratio, low, high)


def _interval(
    sums: Floats, drawn: Floats | None, statistic: Aggregate, least: float, settings: MarkSettings
) -> Interval:
    """The interval of a statistic of sums, from the draws or else from leaving clusters out."""
    level = settings.confidence
    if drawn is not None:
        return interval(statistic(drawn), level=level)
    observed = float(statistic(sums.sum(axis=0)))
    return t_interval(observed, leave_one_out(sums, statistic), level=level, least=least)
