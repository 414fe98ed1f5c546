"""Tuning the weights of a metric on one half of the series, and reporting the other."""

from __future__ import annotations

import hashlib
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_sitting
from readmark.corpus.names import Name, parse_name
from readmark.corpus.rows import read_rows
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import METRICS, build_metrics
from readmark.marking.metrics.rewrites import golds
from readmark.marking.metrics.word_orders import WeightedOrders
from readmark.marking.series.failures import is_content
from readmark.marking.series.tables import APPEND, CHOSEN, NONE, UNIGRAMS, WEIGHTED
from readmark.marking.series.tuned import Correlations, Fit, Halves, Tuned, Weighting
from readmark.marking.series.weights import (
    Parts,
    Probes,
    mean_scores,
    nearby_weights,
    pearson,
    real_weights,
    regress,
    spearman,
    try_weights,
    whole_weights,
)
from readmark.marking.settings import Settings
from readmark.measures.similarity.orders import Weights
from readmark.measures.similarity.words import cutter
from readmark.workflows import api
from readmark.workflows.series import require_series
from readmark.workflows.series_worst import rewrites_of

SHOWN = 5
LEAST = 3
"""Judged questions that each half needs."""

Compare = Callable[[str, Sequence[str]], Parts]
Answers = Mapping[str, str | None]
"""Rewrites by the questions that were asked; None where there is none."""


def search_weights(
    test: Test,
    sittings: Sequence[str | Path] = (),
    *,
    metric: str = "jaccard",
    most: int = 5,
    real: bool = False,
    order_cost: float = 0.1,
    seed: int = 1,
) -> Tuned:
    """The weights with the largest gap between two sittings, or between none and append."""
    require_series(test)
    if most < 1:
        raise UsageError(f"the largest weight is {most}, expected 1 or more")
    if not 0 <= order_cost < 1:
        raise UsageError(f"order cost {order_cost} is not between 0 and 1")
    if len(sittings) not in (0, 2):
        raise UsageError(f"tune takes no sittings or two, the worse first; found {len(sittings)}")
    name = _weighted_name(metric)
    compare = _comparing(test, name)
    (low, worse), (high, better) = _two(test, sittings)
    halves = halves_of(test, seed)
    train, held = (
        _probes(test, frozenset(half), worse, better, compare, seed)
        for half in (halves.train, halves.held)
    )
    every = real_weights(seed) if real else whole_weights(most)
    if real:
        every += nearby_weights(_best(every, train, order_cost), seed)
    sound = _sound(every, train, order_cost)

    def weighting(weights: Weights, why: str = "") -> Weighting:
        [here], [there] = try_weights(train, [weights]), try_weights(held, [weights])
        meets = here.meets(order_cost), there.meets(order_cost)
        return Weighting(_spelt(name, weights), weights, here, there, *meets, why)

    return Tuned(
        series=test.header.name or Path(test.file).name,
        low=low,
        high=high,
        halves=halves,
        tried=len(every),
        met=len(sound),
        order_cost=order_cost,
        seed=seed,
        found=[weighting(weights) for weights in sound[:SHOWN]],
        beside=[weighting(CHOSEN, "the default"), weighting(UNIGRAMS, "words alone")],
    )


def fit_judgements(
    test: Test,
    sittings: Sequence[str | Path],
    judgements: str | Path,
    *,
    metric: str = "jaccard",
    seed: int = 1,
) -> Fit:
    """Weights by least squares to people's scores of a sitting's rewrites."""
    require_series(test)
    if len(sittings) != 1:
        raise UsageError(f"--judgements takes the one sitting they are of; found {len(sittings)}")
    name = _weighted_name(metric)
    compare = _comparing(test, name)
    candidate, answers = _read(test, sittings[0])
    said = {id: text for id, text in answers.items() if text is not None}
    judged = _judged(test, judgements)
    halves = halves_of(test, seed)
    units = [unit for unit in _keyed(test) if unit.id in judged and unit.id in said]
    sides = []
    for label, half in (("train", halves.train), ("held", halves.held)):
        ids = frozenset(half)
        mine = [unit for unit in units if unit.group in ids]
        if len(mine) < LEAST:
            raise DataError(
                f"judges {len(mine)} rewrites of the {label} half of the series, "
                f"expected {LEAST} or more",
                file=judgements,
            )
        parts = [compare(said[unit.id], _golds(test, unit)) for unit in mine]
        sides.append((parts, [judged[unit.id] for unit in mine]))
    (parts, people), _ = sides
    found = regress(parts, people, CHOSEN)
    left = len(judged) - len(units)
    return Fit(
        series=test.header.name or Path(test.file).name,
        candidate=candidate,
        metric=_spelt(name, found.weights),
        halves=halves,
        seed=seed,
        regression=found,
        train=_correlations(*sides[0], found.weights),
        held=_correlations(*sides[1], found.weights),
        default_metric=_spelt(name, CHOSEN),
        default_train=_correlations(*sides[0], CHOSEN),
        default_held=_correlations(*sides[1], CHOSEN),
        notes=[f"{judgements}: {left} judged questions have no rewrite or no gold"] if left else [],
    )


def halves_of(test: Test, seed: int) -> Halves:
    """Whole series to one half or the other, in the order of a hash of seed and id."""
    ids = sorted({unit.group for unit in _keyed(test)}, key=lambda id: _hash(f"{seed}:{id}"))
    if len(ids) < 2:
        raise DataError("has one series with golds, tuning needs two or more", file=test.file)
    return Halves(sorted(ids[0::2]), sorted(ids[1::2]))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _weighted_name(metric: str) -> Name:
    """A metric that weighs orders, without weights of its own."""
    name = parse_name(metric)
    if name.base not in WEIGHTED:
        raise UsageError(f"metric {name.base} has no weights to tune; known: {', '.join(WEIGHTED)}")
    given = [key for key in "ubt" if key in name.parameters]
    if given:
        raise UsageError(f"tune finds the weights: leave {', '.join(given)} out of {metric}")
    return name


def _spelt(name: Name, weights: Weights) -> str:
    spelt, _ = METRICS.build(_with(name, weights))
    return str(spelt)


def _with(name: Name, weights: Weights) -> Name:
    return Name(name.base, {**name.parameters, **dict(zip("ubt", weights, strict=True))})


def _comparing(test: Test, name: Name) -> Compare:
    """The similarity of each order by the metric itself, with all weight on that order."""
    alone = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    built = build_metrics([str(_with(name, weights)) for weights in alone], test)
    orders = [one for one in built.values() if isinstance(one, WeightedOrders)]

    def compare(rewrite: str, every: Sequence[str]) -> Parts:
        return np.array([[one.alike(rewrite, gold) for one in orders] for gold in every])

    return compare


def _two(test: Test, sittings: Sequence[str | Path]) -> Iterator[tuple[str, Answers]]:
    if sittings:
        yield from (_read(test, path) for path in sittings)
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for name in (NONE, APPEND):
            path = Path(folder) / f"{name}.jsonl"
            api.sit(test, name, path)
            yield _read(test, path)


def _read(test: Test, path: str | Path) -> tuple[str, Answers]:
    """A sitting's candidate and rewrites; marking refuses one of another paper."""
    sitting = open_sitting(path, test.kind)
    asked = api.mark(test, sitting, metrics=["exact"], settings=Settings(draws=1)).ids
    said = rewrites_of(test, sitting)
    return sitting.candidate, {id: said.get(id) for id in asked}


def _keyed(test: Test) -> Iterator[Unit]:
    return (unit for unit in test.units() if test.kind.references(unit))


def _golds(test: Test, unit: Unit) -> list[str]:
    return list(dict.fromkeys(golds(unit, test.kind.references(unit))))


def _probes(
    test: Test,
    half: frozenset[str],
    worse: Answers,
    better: Answers,
    compare: Compare,
    seed: int,
) -> Probes:
    nothing = np.zeros((1, 3))
    low: list[Parts] = []
    high: list[Parts] = []
    identical: list[Parts] = []
    moved: list[Parts] = []
    lost: list[Parts] = []
    cut = cutter(test.language)
    for unit in _keyed(test):
        if unit.group not in half or unit.id not in worse or unit.id not in better:
            continue
        every = _golds(test, unit)
        for answers, into in ((worse, low), (better, high)):
            said = answers[unit.id]
            into.append(nothing if said is None else compare(said, every))
        identical.append(compare(every[0], every))
        words = cut(every[0])
        rng = random.Random(f"{seed}:{unit.id}")
        for at, word in enumerate(words):
            if is_content(word, test.language) and len(words) > 2:
                rest = [*words[:at], *words[at + 1 :]]
                to = rng.choice([place for place in range(len(words)) if place != at])
                moved.append(compare(" ".join([*rest[:to], word, *rest[to:]]), every[:1]))
                lost.append(compare(" ".join(rest), every[:1]))
    if not moved:
        raise DataError("one half of the series has no gold with a content word", file=test.file)
    return Probes(low, high, identical, moved, lost)


def _sound(every: Sequence[Weights], probes: Probes, order_cost: float) -> list[Weights]:
    """Those that meet the requirements, the largest gap first, then the smallest weights."""
    tried = zip(every, try_weights(probes, every), strict=True)
    sound = [(weights, one) for weights, one in tried if one.meets(order_cost)]
    sound.sort(key=lambda pair: (-pair[1].gap, sum(pair[0]), pair[0]))
    return list(dict.fromkeys(weights for weights, _ in sound))


def _best(every: Sequence[Weights], probes: Probes, order_cost: float) -> Weights:
    """Where a finer search begins: the best sound one, else the default's share."""
    sound = _sound(every, probes, order_cost)
    whole = sum(CHOSEN)
    u, b, t = CHOSEN
    return sound[0] if sound else (u / whole, b / whole, t / whole)


def _judged(test: Test, path: str | Path) -> dict[str, float]:
    """The mean judgement of each question; several rows of an id are several people's."""
    known = {unit.id for unit in test.units()}
    found: dict[str, list[float]] = {}
    for place, row in read_rows(path, ("id", "score")):
        id, said = str(row["id"]).strip(), row["score"]
        if id not in known:
            raise DataError(f"the series have no question {id!r}", file=path, where=place)
        if isinstance(said, str) and not said.strip():
            continue  # not judged
        try:
            score = float(said)
        except (TypeError, ValueError):
            score = math.nan
        if not math.isfinite(score) or isinstance(said, bool):
            raise DataError(f"score {said!r} is not a number", file=path, where=place)
        found.setdefault(id, []).append(score)
    return {id: sum(scores) / len(scores) for id, scores in found.items()}


def _correlations(
    rewrites: Sequence[Parts], people: Sequence[float], weights: Weights
) -> Correlations:
    scores = [float(mean_scores([parts], [weights])[0]) for parts in rewrites]
    return Correlations(len(scores), pearson(scores, people), spearman(scores, people))
