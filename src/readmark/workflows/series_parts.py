"""The rewrites of a sitting as tuning sees them: compared with their golds, order by order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_sitting
from readmark.corpus.names import Name, parse_name
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import METRICS, build_metrics
from readmark.marking.metrics.rewrites import golds
from readmark.marking.metrics.word_orders import WeightedOrders
from readmark.marking.series.tables import WEIGHTED
from readmark.marking.series.tuned import Halves
from readmark.marking.series.weights import Parts
from readmark.marking.settings import Settings
from readmark.measures.similarity.orders import Weights
from readmark.workflows import api
from readmark.workflows.series_worst import rewrites_of

Compare = Callable[[str, Sequence[str]], Parts]
Answers = Mapping[str, str | None]
"""Rewrites by the questions that were asked; None where there is none."""


def halves_of(test: Test, seed: int) -> Halves:
    """Whole series to one half or the other, in the order of a hash of seed and id."""
    ids = sorted({unit.group for unit in keyed(test)}, key=lambda id: _hash(f"{seed}:{id}"))
    if len(ids) < 2:
        raise DataError("has one series with golds, tuning needs two or more", file=test.file)
    return Halves(sorted(ids[0::2]), sorted(ids[1::2]))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def weighted_name(metric: str) -> Name:
    """A metric that weighs orders, without weights of its own."""
    name = parse_name(metric)
    if name.base not in WEIGHTED:
        raise UsageError(f"metric {name.base} has no weights to tune; known: {', '.join(WEIGHTED)}")
    given = [key for key in "ubt" if key in name.parameters]
    if given:
        raise UsageError(f"tune finds the weights: leave {', '.join(given)} out of {metric}")
    return name


def spelt_with(name: Name, weights: Weights) -> str:
    """The metric's canonical name with the weights."""
    spelt, _ = METRICS.build(_with(name, weights))
    return str(spelt)


def _with(name: Name, weights: Weights) -> Name:
    return Name(name.base, {**name.parameters, **dict(zip("ubt", weights, strict=True))})


def comparing(test: Test, name: Name) -> Compare:
    """The similarity of each order by the metric itself, with all weight on that order."""
    alone = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    built = build_metrics([str(_with(name, weights)) for weights in alone], test)
    orders = [one for one in built.values() if isinstance(one, WeightedOrders)]

    def compare(rewrite: str, every: Sequence[str]) -> Parts:
        return np.array([[one.alike(rewrite, gold) for one in orders] for gold in every])

    return compare


def read_answers(test: Test, path: str | Path) -> tuple[str, Answers]:
    """A sitting's candidate and rewrites; marking refuses one of another paper."""
    sitting = open_sitting(path, test.kind)
    asked = api.mark(test, sitting, metrics=["exact"], settings=Settings(draws=1)).ids
    said = rewrites_of(test, sitting)
    return sitting.candidate, {id: said.get(id) for id in asked}


def keyed(test: Test) -> Iterator[Unit]:
    """The questions that have a gold."""
    return (unit for unit in test.units() if test.kind.references(unit))


def golds_of(test: Test, unit: Unit) -> list[str]:
    """Every gold of a question, known answers filled in."""
    return list(dict.fromkeys(golds(unit, test.kind.references(unit))))
