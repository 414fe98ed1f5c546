"""People's vectors in a tally, and the candidate's on the same references.

Leave-one-out (CMRC 2018): each person's answer in turn is marked against the others', and the
candidate against the same smaller sets. Panel (SMART): a separate group's sittings are marked
against the whole key, as the candidate is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.errors import UsageError
from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL
from readmark.hooks import Metric
from readmark.marking.metrics import is_additive
from readmark.marking.tally import Tally
from readmark.statistics.groups import UnitClusters, units_by_label
from readmark.statistics.resampling import cluster_sums


@dataclass(frozen=True, slots=True)
class PeopleColumns:
    """People's vectors of one metric, and the candidate's on the same references."""

    machine: Floats
    people: Sequence[Floats]
    """A matrix for each member of a panel; one for all annotators of a key."""

    @classmethod
    def of(cls, tally: Tally, method: str, metric: str) -> PeopleColumns:
        """A metric's columns, where people are marked by this method."""
        if method == LEAVE_ONE_OUT:
            columns = tally.left_out[metric]
            return cls(columns.machine.matrix(), [columns.people.matrix()])
        panel = [column.matrix() for column in tally.panel[metric]]
        return cls(tally.vectors[metric].matrix(), panel)

    def chosen(self, units: Ints) -> PeopleColumns:
        """The columns of some units."""
        return PeopleColumns(self.machine[units], [person[units] for person in self.people])


def people_columns(tally: Tally, method: str) -> dict[str, PeopleColumns]:
    """The columns of every metric that gives people a figure: those that are sums over units."""
    return {
        name: PeopleColumns.of(tally, method, name)
        for name, metric in tally.metrics.items()
        if is_additive(metric)
    }


def units_with_people(tally: Tally, method: str) -> Bools:
    """Which units have people's vectors."""
    if method == LEAVE_ONE_OUT:
        return np.frombuffer(tally.left_out_units, dtype=np.bool_)
    if method != PANEL:
        raise UsageError(f"method {method!r} is not one of {LEAVE_ONE_OUT}|{PANEL}")
    return np.frombuffer(tally.panel_units, dtype=np.bool_)


def slices_with_people(
    tally: Tally, has_people: Bools
) -> Iterator[tuple[str, list[tuple[str, Ints]]]]:
    """Every field with its values and the units of each that have people; empty ones left out."""
    for name, labels in tally.fields.items():
        slices = ((label, units[has_people[units]]) for label, units in units_by_label(labels))
        yield name, [(label, units) for label, units in slices if len(units)]


def sums_by_cluster(columns: Sequence[Floats], groups: Ints) -> Floats:
    """Several columns' sums over the same clusters, side by side."""
    clusters = UnitClusters.of(groups)
    return np.hstack([cluster_sums(column, clusters.codes, clusters.count) for column in columns])


def mean_person(metric: Metric, sums: Floats) -> Floats:
    """The mean over people of each one's mark; someone who sat none of the units has none."""
    width = metric.facts.width
    marks = np.stack(
        [
            metric.aggregate(sums[..., start : start + width])
            for start in range(0, sums.shape[-1], width)
        ]
    )
    is_defined = np.isfinite(marks)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(is_defined, marks, 0.0).sum(axis=0) / is_defined.sum(axis=0))
