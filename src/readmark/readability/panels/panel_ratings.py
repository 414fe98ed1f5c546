"""The vectors of a marksheet as ratings: of the gold, the machine and every novice, by passage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.labels import labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.core.parsed_names import parse_name
from readmark.readability.metrics.pearson import pair_of
from readmark.readability.panels.novices import (
    DISTANCE,
    METRICS,
    RATING,
    WIDTH,
    NovicePanel,
    worth,
)
from readmark.statistics.groups import units_by_label

DIFFERENCE, TARGET, PEARSON = METRICS


@dataclass(frozen=True, slots=True)
class PanelRatings:
    """One rater and the novices on the passages that at least one novice rated."""

    ids: tuple[str, ...]
    novices: tuple[str, ...]
    panel: NovicePanel
    machine: Floats
    """(passages, 10): the worth of the rater's ratings; that of a missing rating is NaN."""
    narrow: Bools
    """Which targets have no width, since all experts agree."""
    fields: tuple[Mapping[str, Any], ...]

    @property
    def ratings(self) -> Floats:
        """The rater's ratings, counted from the middle of the scale; NaN where one is missing."""
        return self.machine[:, RATING]

    @property
    def answered(self) -> bool:
        """Whether the rater rated every passage, without which there is no correlation."""
        return bool(np.isfinite(self.machine).all())

    def of_passages(self, chosen: Ints) -> PanelRatings:
        """The same on some passages alone."""
        return PanelRatings(
            tuple(self.ids[index] for index in chosen),
            self.novices,
            self.panel.of_passages(chosen),
            self.machine[chosen],
            self.narrow[chosen],
            tuple(self.fields[index] for index in chosen),
        )


def gather(
    units: Iterable[MarkedUnit], metrics: Iterable[str], novices: Sequence[str]
) -> PanelRatings | None:
    """The ratings behind a marksheet's rows; None where it has no panel or not the metrics.

    Passages are in the order of their ids and novices in that of their names, so that a file
    in another order gets the same draws.
    """
    metrics = list(metrics)
    pearson, target = full_name(metrics, PEARSON), full_name(metrics, TARGET)
    if not novices or pearson is None or target is None:
        return None
    difference = full_name(metrics, DIFFERENCE)
    order = sorted(range(len(novices)), key=lambda index: novices[index])
    rated_units = [
        unit
        for unit in sorted(units, key=lambda unit: unit.id)
        if any(_rating(vector) is not None for vector in unit.panel.get(pearson, ()))
    ]
    if not rated_units:
        return None
    gold = np.array([pair_of(_any_vector(unit, pearson))[0] for unit in rated_units])
    ratings = np.zeros((len(rated_units), len(novices)))
    hits = np.zeros_like(ratings)
    rated = np.zeros(ratings.shape, dtype=np.bool_)
    for row, unit in enumerate(rated_units):
        for column, index in enumerate(order):
            rating = _rating(unit.panel[pearson][index])
            hit = unit.panel[target][index]
            if rating is not None and hit is not None:
                ratings[row, column], hits[row, column] = rating, hit[0]
                rated[row, column] = True
    machine = [_machine_worth(unit, pearson, target, difference) for unit in rated_units]
    return PanelRatings(
        ids=tuple(unit.id for unit in rated_units),
        novices=tuple(novices[index] for index in order),
        panel=NovicePanel.of(gold, rated, ratings, hits),
        machine=np.array(machine),
        narrow=np.array([_any_vector(unit, target)[1] > 0 for unit in rated_units]),
        fields=tuple(unit.fields for unit in rated_units),
    )


def full_name(metrics: Iterable[str], base: str) -> str | None:
    """The name that a marksheet has for a metric, with parameters; the first of several."""
    return next((name for name in metrics if parse_name(name).base == base), None)


def by_label(gathered: PanelRatings, field: str) -> list[tuple[str, PanelRatings]]:
    """The passages of each value of a field, in order."""
    labels = [labels_of(fields.get(field)) for fields in gathered.fields]
    return [(label, gathered.of_passages(chosen)) for label, chosen in units_by_label(labels)]


def _rating(vector: Sequence[float] | None) -> float | None:
    """The rating in a vector of pearson's; None where the passage was not rated."""
    return None if vector is None or vector[-1] > 0 else float(pair_of(vector)[1])


def _any_vector(unit: MarkedUnit, metric: str) -> Sequence[float]:
    """A vector of the unit, for what is the same in all: the gold, or the width of the target."""
    if metric in unit.vectors:
        return unit.vectors[metric]
    return next(vector for vector in unit.panel[metric] if vector is not None)


def _machine_worth(unit: MarkedUnit, pearson: str, target: str, difference: str | None) -> Floats:
    """The worth of the rater's rating; NaN on a marksheet of people alone."""
    if pearson not in unit.vectors:
        return np.full(WIDTH, np.nan)
    vector, hit = unit.vectors[pearson], unit.vectors[target][0]
    gold, rating = (np.array(value) for value in pair_of(vector))
    machine = np.array(worth(gold, rating, np.array(hit)), dtype=np.float64)
    # An unanswered passage is as far off as can be, which only this metric's vector states.
    if difference is not None and unit.vectors[difference][2] > 0:
        machine[DISTANCE] = unit.vectors[difference][0]
    if vector[-1] > 0:
        machine[RATING:] = np.nan
    return machine
