"""Marks made again of what a marksheet records: its vectors, and the words of its signatures.

Nothing is marked here. A metric only says how vectors make a mark; the rules by which texts made
the vectors stand in the marksheet's own signature.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.marksheet import MarkedUnit
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.marking.metrics import Floats, Metric, installed_metrics
from readmark.marking.people import has_ratio
from readmark.marking.tally import ClassColumns, Classed, Column, Tally, UnitMarks
from readmark.reporting.page.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Recorded:
    """A metric as far as a marksheet tells of it."""

    metric: Any
    rules: Mapping[str, str]

    @property
    def scale(self) -> float:
        """What a mark is multiplied by when it is shown."""
        return float(self.metric.scale)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.metric.width)

    @property
    def additive(self) -> bool:
        """Whether the mark is a function of sums."""
        return bool(self.metric.additive)

    @property
    def best(self) -> float:
        """The mark of a perfect answer, unscaled; a metric may say another than 1."""
        return float(getattr(self.metric, "best", 1.0))

    @property
    def worst(self) -> float:
        """The mark of an answer with nothing right in it; a metric may say another than 0."""
        return float(getattr(self.metric, "worst", 0.0))

    @property
    def lower_is_better(self) -> bool:
        """Whether less of it is better; a metric may say so."""
        return bool(getattr(self.metric, "lower_is_better", False))

    @property
    def ratio(self) -> bool:
        """Whether a mark may be divided by people's; a metric says where it may not."""
        return has_ratio(self.metric)

    @property
    def quantity(self) -> str | None:
        """In what range a mark lies, where the metric says so."""
        return getattr(self.metric, "quantity", None)

    @property
    def paired(self) -> Callable[[Floats], Floats] | None:
        """What two candidates are compared by, where that is not the mark itself."""
        return getattr(self.metric, "paired", None)

    @property
    def uncounted(self) -> str:
        """Why some units do not count; a metric of which all do has no such words."""
        return str(self.metric.uncounted)

    def resolve(self, test: Test) -> Metric:
        """A recorded metric is resolved already."""
        return self

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """A report never marks."""
        raise NotImplementedError("a marksheet's vectors are made when it is marked")

    def aggregate(self, sums: Floats) -> Floats:
        """The mark of sums."""
        found: Floats = self.metric.aggregate(sums)
        return found

    def score(self, rows: Floats) -> float:
        """The mark of rows, where it is no function of sums."""
        return float(self.metric.score(rows))

    def signature(self) -> Mapping[str, str]:
        """The rules as the marksheet has them."""
        return self.rules


class _Fields(msgspec.Struct, frozen=True):
    """All that a marksheet tells of a unit and its record."""

    fields: dict[str, Any]
    key: None = None


def recorded_metrics(sheet: Sheet) -> dict[str, Recorded]:
    """The marksheet's metrics that are installed here, by name."""
    return {
        name: Recorded(metric, rules_of(sheet.header.metrics[name]))
        for name, metric in installed_metrics(sheet.header.metrics).items()
    }


def rules_of(signature: str) -> dict[str, str]:
    """The part of a signature that the metric itself decides."""
    parts = [part.partition(":") for part in signature.split("|")]
    keys = [key for key, _, _ in parts]
    end = keys.index("clusters") if "clusters" in keys else len(parts)
    return {key: value for key, _, value in parts[:end] if key != "metric"}


def recorded_tally(sheet: Sheet, metrics: Mapping[str, Recorded], fields: Sequence[str]) -> Tally:
    """The tally that marking had, as the marksheet's rows give it back."""
    tally = Tally(metrics)
    alone = any(unit.alone for unit in sheet.units)
    for name, metric in metrics.items():
        tally.vectors[name] = Column(metric.width)
        if alone:
            tally.alone[name] = Column(metric.width), Column(metric.width)
        if sheet.header.panel:
            tally.panel[name] = [Column(metric.width) for _ in sheet.header.panel]
    if sheet.header.classes is not None:
        width = len(sheet.header.classes.names) + 1
        tally.classes = ClassColumns.empty(width, alone=alone, members=len(sheet.header.panel))
    for name in fields:
        tally.fields[name] = []
    for row in sheet.units:
        told = _Fields(row.fields)
        tally.add(
            UnitMarks(
                Unit(row.id, row.group, told, told),
                row.gold,
                row.answers,
                {name: row.vectors.get(name, (0.0,) * one.width) for name, one in metrics.items()},
                {name: (one.machine, one.people) for name, one in row.alone.items()} or None,
                row.panel or None,
                classed=_classed(row) if tally.classes is not None else None,
            )
        )
    return tally


def _classed(row: MarkedUnit) -> Classed | None:
    """A unit's error classes."""
    told = row.classes
    if told is None:
        return None
    alone = (told.alone.machine, told.alone.people) if told.alone is not None else None
    return Classed(told.own, alone, told.panel)
