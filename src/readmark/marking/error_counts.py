"""Error classes counted: overall and by slice, the candidate's, people's, and the gap of EM to F1.

SMART explains the gap by answers that miss the right edges; so what such answers put into it is
told beside the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from readmark.core.arrays import Floats, Ints
from readmark.marking.marks import units_by_label
from readmark.marking.people import LEAVE_ONE_OUT
from readmark.marking.tally import ClassColumns, Tally

EM, F1 = "em", "f1"
_SURE = 0.999


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """How many answers are of each class. Over several people or repeats it is their mean."""

    units: float
    counts: Mapping[str, float]
    gap: float | None = None
    """F1 less EM, in points; None where both were not marked."""
    boundary_gap: float | None = None
    """The part of the gap that answers of class boundary put in."""

    def share(self, name: str) -> float | None:
        """A class's part of the units."""
        return self.counts[name] / self.units if self.units else None


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """The counts of one candidate, or of people."""

    all: ClassCounts
    by: Mapping[str, Mapping[str, ClassCounts]]


@dataclass(frozen=True, slots=True)
class Errors:
    """The error classes of a sitting, and of the people it is compared with."""

    signature: str
    machine: ErrorTable | None
    """Against the whole key; None where nobody sat."""
    method: str | None = None
    """Where people's answers come from: leave-one-out, or a panel's sittings."""
    people: ErrorTable | None = None
    machine_on_same_sets: ErrorTable | None = None
    """The candidate against the reference sets that people are marked against."""
    each: Mapping[str, str | None] | None = None
    """Every unit's class; None where repeats differ, or the key has no answer in words."""

    def as_json(self, *, units: bool) -> dict[str, Any]:
        """As ``mark --json`` has it under ``error_classes``."""
        told: dict[str, Any] = {"signature": self.signature}
        for name, table in (
            ("machine", self.machine),
            ("people", self.people),
            ("beside", self.machine_on_same_sets),
        ):
            if table is not None:
                told[name] = asdict(table)
        if self.people is not None:
            told["method"] = self.method
        if units and self.each is not None:
            told["per_unit"] = dict(self.each)
        return told


def count_errors(
    tally: Tally,
    signature: str,
    *,
    sat: bool,
    method: str | None,
    names: Sequence[str],
) -> Errors | None:
    """Every class's count, overall and for every field of the tally."""
    columns = tally.classes
    if columns is None:
        return None
    machine = people = error_table = None
    if sat:
        machine = _table(tally, _ClassMatrices([columns.own.matrix()], *_marked(tally)), names)
    if method is not None and (columns.alone or columns.panel):
        people = _table(tally, _people(tally, columns, method), names)
        if method == LEAVE_ONE_OUT and sat:
            error_table = _table(tally, _machine_on_same_sets(tally, columns), names)
    if people is not None and not people.all.units:
        people = error_table = None
    each = _each(tally, columns, names) if sat else None
    return Errors(signature, machine, method if people else None, people, error_table, each)


@dataclass(frozen=True, slots=True)
class _ClassMatrices:
    """One matrix of classes per person, and the matching matrices of EM and F1."""

    classes: Sequence[Floats]
    em: Sequence[Floats] = ()
    f1: Sequence[Floats] = ()


def _marked(tally: Tally) -> tuple[list[Floats], list[Floats]]:
    if EM not in tally.vectors or F1 not in tally.vectors:
        return [], []
    return [tally.vectors[EM].matrix()], [tally.vectors[F1].matrix()]


def _people(tally: Tally, columns: ClassColumns, method: str) -> _ClassMatrices:
    if method == LEAVE_ONE_OUT:
        return _alone(tally, columns, 1)
    marked = [
        [vector_column.matrix() for vector_column in tally.panel[name]]
        if name in tally.panel
        else []
        for name in (EM, F1)
    ]
    if not all(marked):
        marked = [[], []]
    return _ClassMatrices([vector_column.matrix() for vector_column in columns.panel], *marked)


def _machine_on_same_sets(tally: Tally, columns: ClassColumns) -> _ClassMatrices:
    return _alone(tally, columns, 0)


def _alone(tally: Tally, columns: ClassColumns, side: int) -> _ClassMatrices:
    both = EM in tally.alone and F1 in tally.alone
    marked = [[tally.alone[name][side].matrix()] if both else [] for name in (EM, F1)]
    return _ClassMatrices([columns.alone[side].matrix()], *marked)


def _table(tally: Tally, whole: _ClassMatrices, names: Sequence[str]) -> ErrorTable:
    def counted(units: Ints) -> ClassCounts:
        return _counts(whole, units, names)

    everything = counted(np.arange(len(tally.ids)))
    by = {field: dict(_slices(labels, counted)) for field, labels in tally.fields.items()}
    return ErrorTable(everything, by)


def _slices(
    labels: Sequence[tuple[str, ...]], counted: Callable[[Ints], ClassCounts]
) -> Iterator[tuple[str, ClassCounts]]:
    for label, units in units_by_label(labels):
        class_counts = counted(units)
        if class_counts.units:
            yield label, class_counts


def _counts(whole: _ClassMatrices, units: Ints, names: Sequence[str]) -> ClassCounts:
    """The mean over people of each one's counts; who sat none of the units does not count."""
    width = len(names)
    sums = [one[units].sum(axis=0) for one in whole.classes]
    sat = [index for index, one in enumerate(sums) if one[:width].sum() > 0]
    if not sat:
        return ClassCounts(0, dict.fromkeys(names, 0))
    mean = np.mean([sums[at] for at in sat], axis=0)
    total = float(mean[:width].sum())
    gaps = [
        _mark(whole.f1[at][units]) - _mark(whole.em[at][units])
        for at in sat
        if whole.em and whole.f1
    ]
    known = [gap for gap in gaps if math.isfinite(gap)]
    return ClassCounts(
        _plain(total),
        {name: _plain(float(mean[index])) for index, name in enumerate(names)},
        100 * sum(known) / len(known) if known else None,
        100 * float(mean[width]) / total,
    )


def _mark(vectors: Floats) -> float:
    """EM or F1 of some units: one sum over the other."""
    got, could = vectors.sum(axis=0)
    return float(got / could) if could else math.nan


def _plain(value: float) -> float:
    """A whole number where it is one but for the grid that vectors lie on."""
    return round(value) if abs(value - round(value)) < 1e-6 else round(value, 6)


def _each(tally: Tally, columns: ClassColumns, names: Sequence[str]) -> dict[str, str | None]:
    own = columns.own.matrix()[:, : len(names)]
    best = own.argmax(axis=1)
    sure = own.max(axis=1) > _SURE
    return {
        id: names[at] if one else None
        for id, at, one in zip(tally.ids, best.tolist(), sure.tolist(), strict=True)
    }
