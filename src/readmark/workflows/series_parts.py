"""The rewrites of a sitting as tuning sees them: compared with their golds, order by order."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from readmark.measures.similarity.texts import one
from readmark.measures.similarity.words import cutter
from readmark.workflows import api
from readmark.workflows.series import of_the_mean, wrong_words
from readmark.workflows.series_worst import rewrites_of

Words = Sequence[str]
Compare = Callable[[Words, Sequence[Words]], Parts]
ALONE: tuple[Weights, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Answered:
    """The rewrites of a sitting, and what a reader should know of them."""

    candidate: str
    said: Mapping[str, str | None]
    """By the questions that were asked; None where there is no rewrite."""
    errors: Sequence[str]
    notes: Sequence[str]
    signature: str


def halves_of(test: Test, seed: int, asked: Container[str] | None = None) -> Halves:
    """Whole series to one half or the other, in the order of a hash of seed and id.

    Of those that were asked anything; which half a series is in does not hang on that.
    """
    units = list(keyed(test))
    ids = sorted({unit.group for unit in units}, key=lambda id: _hash(f"{seed}:{id}"))
    if len(ids) < 2:
        raise DataError("has one series with golds, tuning needs two or more", file=test.file)
    used = [unit.group for unit in units if asked is None or unit.id in asked]
    train, held = (sorted(set(used) & set(half)) for half in (ids[0::2], ids[1::2]))
    for name, half in (("train", train), ("held", held)):
        if not half:
            raise DataError(f"no question of the {name} half was asked", file=test.file)
    counts = Counter(used)
    return Halves(train, held, *(sum(counts[id] for id in half) for half in (train, held)))


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
    """The similarity of each order by the metric's own measure, of texts as lists of words.

    Words that were moved cannot be joined and cut again: Chinese would be cut otherwise.
    """
    [built] = build_metrics([str(name)], test).values()
    if not isinstance(built, WeightedOrders):
        raise UsageError(f"metric {name} has no weights to tune")
    measure = built.measure()

    def compare(rewrite: Words, every: Sequence[Words]) -> Parts:
        return np.array([[one(measure, alone, rewrite, gold) for alone in ALONE] for gold in every])

    return compare


def read_answers(test: Test, path: str | Path, metric: str) -> Answered:
    """The rewrites of a sitting; marking refuses one of another paper."""
    sitting = open_sitting(path, test.kind)
    marks = api.mark(test, sitting, metrics=[metric], settings=Settings(draws=1))
    [mark] = marks.marks.values()
    said = rewrites_of(test, sitting)
    parts = of_the_mean(mark.signature).split("|")
    return Answered(
        candidate=sitting.candidate,
        said={id: said.get(id) for id in marks.ids},
        errors=list(marks.errors),
        notes=[*marks.notes, *(f"{sitting.candidate}: {one}" for one in wrong_words(marks))],
        signature="|".join(one for one in parts if not one.startswith(("metric:", "weights:"))),
    )


def keyed(test: Test) -> Iterator[Unit]:
    """The questions that have a gold."""
    return (unit for unit in test.units() if test.kind.references(unit))


def golds_of(test: Test, unit: Unit) -> list[Words]:
    """The words of every gold of a question, known answers filled in."""
    cut = cutter(test.language)
    return [cut(gold) for gold in dict.fromkeys(golds(unit, test.kind.references(unit)))]
