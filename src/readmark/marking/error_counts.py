"""Error classes counted: overall and by slice, the candidate's, people's, and the gap of EM to F1.

SMART explains the gap by answers that miss the right edges, so the part of it that such answers
make is counted too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from readmark.core.arrays import Floats, Ints
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.marking.columns import VectorColumn
from readmark.marking.tally import Tally
from readmark.statistics.groups import units_by_label

EM, F1 = "em", "f1"
_CERTAIN = 0.999
"""Where the mean over repeats reaches this, all of them have the class: vectors are rounded."""


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """How many answers are of each class: one candidate's, or the mean over people or repeats."""

    units: float
    counts: Mapping[str, float]
    gap: float | None = None
    """F1 less EM, in points; None unless both were marked."""
    boundary_gap: float | None = None
    """The part of the gap that answers of class boundary put in."""
    by: Mapping[str, Mapping[str, ClassCounts]] = field(default_factory=dict)
    """The same by field and value; slices have none."""

    def share(self, name: str) -> float | None:
        """A class's part of the units."""
        return self.counts[name] / self.units if self.units else None

    def as_json(self) -> dict[str, Any]:
        """Overall, and by field and value."""
        by = {
            name: {label: part._counts_json() for label, part in values.items()}
            for name, values in self.by.items()
        }
        return {"all": self._counts_json(), "by": by}

    def _counts_json(self) -> dict[str, Any]:
        return {
            "units": self.units,
            "counts": dict(self.counts),
            "gap": self.gap,
            "boundary_gap": self.boundary_gap,
        }


@dataclass(frozen=True, slots=True)
class Errors:
    """The error classes of a sitting, and of the people it is compared with."""

    signature: str
    machine: ClassCounts | None
    """Against the whole key; None where nobody sat."""
    method: str | None = None
    """Where people's answers come from: leave-one-out, or a panel's sittings."""
    people: ClassCounts | None = None
    machine_on_same_sets: ClassCounts | None = None
    """The candidate against the reference sets that people are marked against."""
    each: Mapping[str, str | None] | None = None
    """Every unit's class; None where repeats differ, or the key has no answer in words."""

    def as_json(self, *, units: bool) -> dict[str, Any]:
        """As ``mark --json`` has it under ``error_classes``."""
        document: dict[str, Any] = {"signature": self.signature}
        for name, counts in (
            ("machine", self.machine),
            ("people", self.people),
            ("beside", self.machine_on_same_sets),
        ):
            if counts is not None:
                document[name] = counts.as_json()
        if self.people is not None:
            document["method"] = self.method
        if units and self.each is not None:
            document["per_unit"] = dict(self.each)
        return document


def count_errors(
    tally: Tally, signature: str, *, sat: bool, method: str | None, names: Sequence[str]
) -> Errors | None:
    """Every class's count, overall and for every field of the tally.

    ``method`` is how people are marked, None without any; without ``sat`` there is no machine.
    """
    classes = tally.classes
    if classes is None:
        return None
    machine = people = same_sets = each = None
    if sat:
        em, f1 = ([tally.vectors[name]] if name in tally.vectors else [] for name in (EM, F1))
        machine = _counts_by(tally, _Columns.of([classes.machine], em, f1), names)
        each = _class_of_each(tally.ids, classes.machine.matrix(), names)
    if method == LEAVE_ONE_OUT and classes.left_out is not None:
        left_out = classes.left_out
        pairs = [[tally.left_out[name]] if name in tally.left_out else [] for name in (EM, F1)]
        em, f1 = ([pair.people for pair in of_metric] for of_metric in pairs)
        people = _counts_by(tally, _Columns.of([left_out.people], em, f1), names)
        if sat:
            em, f1 = ([pair.machine for pair in of_metric] for of_metric in pairs)
            same_sets = _counts_by(tally, _Columns.of([left_out.machine], em, f1), names)
    elif method is not None and classes.panel:
        em, f1 = (tally.panel.get(name, []) for name in (EM, F1))
        people = _counts_by(tally, _Columns.of(classes.panel, em, f1), names)
    if people is None or not people.units:
        method = people = same_sets = None
    return Errors(signature, machine, method, people, same_sets, each)


@dataclass(frozen=True, slots=True)
class _Columns:
    """One matrix of classes per person, and the matching matrices of EM and F1."""

    classes: Sequence[Floats]
    em: Sequence[Floats]
    f1: Sequence[Floats]

    @classmethod
    def of(
        cls,
        classes: Sequence[VectorColumn],
        em: Sequence[VectorColumn],
        f1: Sequence[VectorColumn],
    ) -> _Columns:
        """The matrices of columns; EM and F1 only where both were marked."""
        if not em or not f1:
            em = f1 = ()
        return cls(*([column.matrix() for column in columns] for columns in (classes, em, f1)))


def _counts_by(tally: Tally, columns: _Columns, names: Sequence[str]) -> ClassCounts:
    """The counts of all units, and by every field of the tally."""
    by: dict[str, dict[str, ClassCounts]] = {}
    for name, labels in tally.fields.items():
        by[name] = {}
        for label, units in units_by_label(labels):
            counts = _counts(columns, units, names)
            if counts.units:
                by[name][label] = counts
    return replace(_counts(columns, np.arange(len(tally.ids)), names), by=by)


def _counts(columns: _Columns, units: Ints, names: Sequence[str]) -> ClassCounts:
    """The mean over people of each one's counts; who sat none of the units does not count."""
    width = len(names)
    sums = [matrix[units].sum(axis=0) for matrix in columns.classes]
    sat = [index for index, person in enumerate(sums) if person[:width].sum() > 0]
    if not sat:
        return ClassCounts(0, dict.fromkeys(names, 0))
    mean = np.mean([sums[index] for index in sat], axis=0)
    total = float(mean[:width].sum())
    # People count alike in both, however many units each of them sat: one is a part of the other.
    boundary = [float(sums[index][width] / sums[index][:width].sum()) for index in sat]
    gap = None
    if columns.em and columns.f1:
        gaps = [_mark(columns.f1[index][units]) - _mark(columns.em[index][units]) for index in sat]
        defined = [value for value in gaps if math.isfinite(value)]
        gap = 100 * sum(defined) / len(defined) if defined else None
    return ClassCounts(
        _whole(total),
        {name: _whole(float(mean[index])) for index, name in enumerate(names)},
        gap,
        100 * sum(boundary) / len(boundary),
    )


def _mark(vectors: Floats) -> float:
    """EM or F1 of some units: the points that were reached over those that could be."""
    reached, possible = vectors.sum(axis=0)
    return float(reached / possible) if possible else math.nan


def _whole(value: float) -> float:
    """A whole number where it is one but for the grid that vectors lie on."""
    return round(value) if abs(value - round(value)) < 1e-6 else round(value, 6)


def _class_of_each(
    ids: Sequence[str], classes: Floats, names: Sequence[str]
) -> dict[str, str | None]:
    """Every unit's class; None where its repeats differ, or no class could be decided."""
    classes = classes[:, : len(names)]
    best = classes.argmax(axis=1).tolist()
    is_certain = (classes.max(axis=1) > _CERTAIN).tolist()
    return {
        id: names[index] if certain else None
        for id, index, certain in zip(ids, best, is_certain, strict=True)
    }
