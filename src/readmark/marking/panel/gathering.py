"""A marksheet's vectors as ratings: the gold, the machine's and every novice's, a row a passage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.marksheet import MarkedUnit
from readmark.corpus.names import parse_name
from readmark.marking.metrics import Floats
from readmark.measures.novice_null import METRICS, Panel, worth

DIFFERENCE, TARGET, PEARSON = METRICS

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Gathered:
    """One rater and the novices on the passages that both have something to say of."""

    ids: tuple[str, ...]
    novices: tuple[str, ...]
    panel: Panel
    machine: Floats
    """(passages, 7): what the rater's ratings are worth; the rating is NaN where there is none."""
    narrow: NDArray[np.bool_]
    """Which targets have no width."""
    fields: tuple[Mapping[str, Any], ...]
    alone: tuple[str, ...]
    """Passages that no novice rated: left out."""

    @property
    def answered(self) -> bool:
        """Whether every passage was rated, without which there is no correlation."""
        return bool(np.isfinite(self.machine).all())

    def of_passages(self, chosen: NDArray[np.int64]) -> Gathered:
        """The same on some passages alone."""
        return Gathered(
            tuple(self.ids[at] for at in chosen),
            self.novices,
            self.panel.of_passages(chosen),
            self.machine[chosen],
            self.narrow[chosen],
            tuple(self.fields[at] for at in chosen),
            self.alone,
        )


def named(metrics: Iterable[str], base: str) -> str | None:
    """The first metric of that base, whatever its parameters."""
    return next((name for name in metrics if parse_name(name).base == base), None)


def gather(
    units: Iterable[MarkedUnit], metrics: Iterable[str], novices: Sequence[str]
) -> Gathered | None:
    """The ratings behind a marksheet's rows; None where it has no panel or not the metrics.

    Passages stand in the order of their ids and novices in that of their names, so that a file
    in another order gets the same draws.
    """
    metrics = list(metrics)
    pearson, target = named(metrics, PEARSON), named(metrics, TARGET)
    if not novices or pearson is None or target is None:
        return None
    difference = named(metrics, DIFFERENCE)
    order = sorted(range(len(novices)), key=lambda at: novices[at])
    kept: list[MarkedUnit] = []
    alone: list[MarkedUnit] = []
    for unit in sorted(units, key=lambda one: one.id):
        members = unit.panel.get(pearson, ())
        some = any(_rating(one) is not None for one in members)
        (kept if some else alone).append(unit)
    if not kept:
        return None
    gold = np.array([_gold(unit, pearson) for unit in kept])
    ratings = np.zeros((len(kept), len(novices)))
    hits = np.zeros_like(ratings)
    rated = np.zeros(ratings.shape, dtype=np.bool_)
    for row, unit in enumerate(kept):
        for column, at in enumerate(order):
            said = _rating(unit.panel[pearson][at])
            hit = unit.panel[target][at]
            if said is not None and hit is not None:
                ratings[row, column], hits[row, column], rated[row, column] = said, hit[0], True
    return Gathered(
        tuple(unit.id for unit in kept),
        tuple(novices[at] for at in order),
        Panel.of(gold, rated, ratings, hits),
        np.array([_own(unit, pearson, target, difference) for unit in kept]),
        np.array([_narrow(unit, target) for unit in kept]),
        tuple(unit.fields for unit in kept),
        tuple(unit.id for unit in alone),
    )


def _rating(vector: Vector | None) -> float | None:
    """The rating in a vector of pearson's; None where the passage was not rated."""
    return None if vector is None or vector[-1] > 0 else vector[2]


def _some(unit: MarkedUnit, metric: str) -> Vector:
    """A vector of the unit, for what all of them say alike."""
    if metric in unit.vectors:
        return unit.vectors[metric]
    return next(one for one in unit.panel[metric] if one is not None)


def _gold(unit: MarkedUnit, pearson: str) -> float:
    return _some(unit, pearson)[1]


def _narrow(unit: MarkedUnit, target: str) -> bool:
    return _some(unit, target)[1] > 0


def _own(unit: MarkedUnit, pearson: str, target: str, difference: str | None) -> Floats:
    """What the rater's rating is worth; nobody's, on a marksheet of people alone."""
    if pearson not in unit.vectors:
        return np.full(7, np.nan)
    moments, hit = unit.vectors[pearson], unit.vectors[target][0]
    gold, said = np.array(moments[1]), np.array(moments[2])
    own = np.array(worth(gold, said, np.array(hit)), dtype=np.float64)
    if difference is not None and unit.vectors[difference][2] > 0:
        own[0] = unit.vectors[difference][0]
    if moments[-1] > 0:
        own[2:] = np.nan
    return own
