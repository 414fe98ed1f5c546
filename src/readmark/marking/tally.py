"""What marking unit by unit adds up to: every metric's vectors, in the order of the test.

Nothing here is a mark yet. A tally holds numbers and ids alone, so a million units fit.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from readmark.core.arrays import Floats, Ints
from readmark.core.errors import DataError
from readmark.core.labels import labels_of
from readmark.core.records import Unit, distinct_names
from readmark.core.sitting import Row
from readmark.core.spent import Spent
from readmark.core.test import Test
from readmark.hooks import Metric
from readmark.marking.answer_coverage import AnswerCoverage
from readmark.marking.columns import (
    ClassColumns,
    LeftOutColumns,
    PersonColumns,
    VectorColumn,
)
from readmark.marking.kind_extras import ErrorClassifier
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.vectors import UnitVector


@dataclass
class Tally:
    """What marking a sitting found, before any statistics."""

    metrics: Mapping[str, Metric]
    ids: list[str] = field(default_factory=list)
    coverage: AnswerCoverage = field(default_factory=AnswerCoverage)
    spent: Spent = field(default_factory=Spent)
    vectors: dict[str, VectorColumn] = field(default_factory=dict)
    left_out: dict[str, LeftOutColumns] = field(default_factory=dict)
    """Against the leave-one-out sets, where those were asked for."""
    left_out_units: array[int] = field(default_factory=lambda: array("b"))
    """Which units have answers of two people or more."""
    panel: dict[str, list[VectorColumn]] = field(default_factory=dict)
    panel_units: array[int] = field(default_factory=lambda: array("b"))
    """Which units a member of the panel was to sit."""
    members: Sequence[str] = ()
    """The names of the panel's members."""
    repeats: dict[str, list[VectorColumn]] = field(default_factory=dict)
    """A column for each repeat, when every unit was asked several times."""
    each: dict[str, PersonColumns] | None = None
    """The columns of every person by name, where they were asked for."""
    classes: ClassColumns | None = None
    """The error classes, where they were asked for."""
    fields: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """The labels of each unit, by the fields that slices were asked by."""
    field_of: Callable[[Unit, str], Any] = Unit.field
    """How a unit's value of a field is looked up."""
    summed: int = 0
    """Units of which only the sums per cluster are kept, and not the ids."""
    summed_uncounted: dict[str, list[str]] = field(default_factory=dict)
    """Ids of those among them that a metric does not count, by metric."""
    _scores: array[float] = field(default_factory=lambda: array("d"))
    _groups: array[int] = field(default_factory=lambda: array("q"))
    _group_codes: dict[str, int] = field(default_factory=dict)
    _costs: array[float] = field(default_factory=lambda: array("d"))
    """What each row cost that counts it: sums of such numbers depend on their order."""

    @classmethod
    def empty(
        cls,
        metrics: Mapping[str, Metric],
        repeats: int | None,
        *,
        by: Sequence[str] = (),
        members: Sequence[str] = (),
        leave_one_out: bool = False,
        each: bool = False,
        classifier: ErrorClassifier | None = None,
    ) -> Tally:
        """A tally of no unit yet; ``repeats`` is None where nobody sat.

        ``members`` are those of a panel; ``each`` holds the vectors of single people too.
        """
        tally = cls(metrics, members=distinct_names(members), each={} if each else None)
        for name, metric in metrics.items():
            width = metric.facts.width
            tally.vectors[name] = VectorColumn(width)
            if leave_one_out:
                tally.left_out[name] = LeftOutColumns.empty(width)
            if repeats is not None and repeats > 1:
                tally.repeats[name] = [VectorColumn(width) for _ in range(repeats)]
            if members:
                tally.panel[name] = [VectorColumn(width) for _ in members]
        tally.fields = {name: [] for name in by}
        if classifier is not None:
            tally.classes = ClassColumns.empty(
                classifier.width, leave_one_out=leave_one_out, members=len(members)
            )
        return tally

    @property
    def units(self) -> int:
        """How many units were marked."""
        return len(self.ids) + self.summed

    @property
    def not_sat(self) -> list[int]:
        """The repeats that were never begun."""
        return self.coverage.not_sat(self.units)

    @property
    def scores(self) -> Floats:
        """The mean score of each unit's answers, NaN where there is none."""
        return np.frombuffer(self._scores, dtype=np.float64) if self._scores else np.zeros(0)

    @functools.cached_property
    def groups(self) -> Ints:
        """Each unit's cluster as a number, by the order of the clusters' ids.

        Draws belong to numbers, so a test in another order gets the same intervals.
        """
        codes = self._group_codes
        ranks = np.empty(len(codes), dtype=np.int64)
        ranks[[codes[group] for group in sorted(codes)]] = np.arange(len(codes))
        return np.asarray(ranks[np.frombuffer(self._groups, dtype=np.int64)])

    def matrices(self) -> dict[str, Floats]:
        """Each metric's vectors, units by width."""
        return {name: column.matrix() for name, column in self.vectors.items()}

    def add(self, marked: UnitMarks) -> None:
        """Take one unit in."""
        self.ids.append(marked.unit.id)
        codes = self._group_codes
        self._groups.append(codes.setdefault(marked.unit.group, len(codes)))
        score = mean_score(marked.rows)
        self._scores.append(np.nan if score is None else score)
        self.coverage.add(marked)
        for row in marked.rows:
            if row.usage is not None:
                self.spent = self.spent.with_row(row)
                self._costs.append(0.0 if row.usage.get("cached") else row.usage.get("cost") or 0.0)
        for name, vector in marked.vectors.items():
            self.vectors[name].add(vector)
        self.left_out_units.append(marked.left_out is not None)
        for name, columns in self.left_out.items():
            columns.add(marked.left_out[name] if marked.left_out is not None else None)
        for name, repeats in self.repeats.items():
            for index, column in enumerate(repeats):
                column.add(marked.repeated[name][index] if marked.repeated is not None else None)
        was_sat = False
        for name, members in self.panel.items():
            for index, column in enumerate(members):
                vector_of_member = marked.panel[name][index] if marked.panel is not None else None
                was_sat = was_sat or vector_of_member is not None
                column.add(vector_of_member)
        self.panel_units.append(was_sat)
        if self.each is not None:
            self._add_each(self.each, marked)
        if self.classes is not None:
            self.classes.add(marked.classes)
        for name, labels in self.fields.items():
            labels.append(labels_of(self.field_of(marked.unit, name)))

    def _add_each(self, each: dict[str, PersonColumns], marked: UnitMarks) -> None:
        """A unit's vectors of every person who answered it: the panel's members, or the key's."""
        names: Sequence[str] = ()
        people: Mapping[str, Sequence[UnitVector | None]] = {}
        if marked.panel:
            names, people = self.members, marked.panel
        elif marked.left_out is not None:
            names = marked.annotators
            people = {name: vectors.each for name, vectors in marked.left_out.items()}
        for index, person in enumerate(names):
            if person not in each:
                each[person] = PersonColumns.empty(self.metrics)
            vectors = {
                name: vector
                for name, of_people in people.items()
                if (vector := of_people[index]) is not None
            }
            if vectors:
                each[person].add(len(self.ids) - 1, vectors)

    def extend(self, other: Tally) -> None:
        """Take in the units that follow, of another part of the test: as if added one by one."""
        codes = self._group_codes
        theirs = [codes.setdefault(group, len(codes)) for group in other._group_codes]
        recoded = np.array(theirs, dtype=np.int64)[np.frombuffer(other._groups, dtype=np.int64)]
        self._groups.frombytes(recoded.tobytes())
        self._scores.extend(other._scores)
        self.ids += other.ids
        self.coverage.extend(other.coverage)
        self.spent = self.spent.plus(other.spent, other._costs)
        self.summed += other.summed
        for name, ids in other.summed_uncounted.items():
            self.summed_uncounted.setdefault(name, []).extend(ids)
        self.left_out_units.extend(other.left_out_units)
        self.panel_units.extend(other.panel_units)
        for mine, more in zip(self._columns(), other._columns(), strict=True):
            mine.cells.extend(more.cells)
        for name, labels in self.fields.items():
            labels.extend(other.fields[name])

    def uncounted(self, name: str) -> list[str]:
        """Ids of the units that a metric does not count, where it says that some do not."""
        metric = self.metrics[name]
        if self.summed or not metric.facts.uncounted:
            return self.summed_uncounted.get(name, [])
        values = metric.aggregate(self.vectors[name].matrix())
        is_undefined = np.isnan(values)
        return [id for id, undefined in zip(self.ids, is_undefined, strict=True) if undefined]

    def summed_counted(self, name: str) -> int | None:
        """How many units a metric counts of those that are summed, where that is not all."""
        uncounted = self.summed_uncounted.get(name)
        return None if uncounted is None else self.units - len(uncounted)

    def sum_clusters(self) -> tuple[Ints, int]:
        """Keep sums per cluster in the place of units' vectors: all that a mark is made of.

        Statistics lie on the grid, so nothing is rounded. Ids stay of what is listed only. The
        cluster of each unit comes back, and how many clusters there are.
        """
        self.summed_uncounted = {
            name: ids for name in self.vectors if (ids := self.uncounted(name))
        }
        codes = np.array(self._groups, dtype=np.int64)
        clusters = len(self._group_codes)
        for column in self._columns():
            column.sum_rows(codes, clusters)
        self.summed += len(self.ids)
        self.ids = []
        self._groups = array("q", range(clusters))
        self._scores = array("d")
        self.left_out_units, self.panel_units = array("b"), array("b")
        return codes, clusters

    def _columns(self) -> Iterator[VectorColumn]:
        """Every column of vectors but those of single people and of a panel."""
        yield from self.vectors.values()
        for pair in self.left_out.values():
            yield from (pair.machine, pair.people)
        for columns in self.repeats.values():
            yield from columns
        if self.classes is not None:
            yield self.classes.machine
            if self.classes.left_out is not None:
                yield from (self.classes.left_out.machine, self.classes.left_out.people)


def mean_score(rows: Sequence[Row]) -> float | None:
    """The mean of the scores that a unit's answers have; None unless every answer has one."""
    if len(rows) == 1:
        return rows[0].score if rows[0].error is None else None
    scores = [row.score for row in rows if row.score is not None and row.error is None]
    return sum(scores) / len(scores) if rows and len(scores) == len(rows) else None


def require_marked(tally: Tally, test: Test, covered: int) -> None:
    """Refuse a tally of nothing."""
    if not tally.units:
        raise DataError(
            "no unit has a key to be marked against" if covered else "no unit is covered",
            file=test.file,
        )
