"""The rewrites of a sitting as tuning sees them: compared with their golds, order by order."""

from __future__ import annotations

import hashlib
import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import Unit, distinct_names
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.formats.sheets import read_rows
from readmark.marking import METRICS, MarkSettings, build_metrics, mark
from readmark.series.failures import is_content
from readmark.series.metrics.golds import golds
from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.series.tables import (
    APPEND,
    CHOSEN,
    NONE,
    UNIGRAMS,
    WEIGHTED,
    without_interval,
    wrong_notes,
)
from readmark.series.weights import (
    Correlations,
    FittedWeights,
    Halves,
    OrderSimilarities,
    Probes,
    TunedWeights,
    Weighting,
    integer_weights,
    mean_scores,
    nearby_weights,
    real_weights,
    regress,
    try_weights,
)
from readmark.series.words import cutter
from readmark.series.worst import rewrites_of
from readmark.sitting import sit
from readmark.statistics.correlation import pearson, spearman
from readmark.statistics.similarity.ngrams import TextGrams
from readmark.statistics.similarity.order_weights import OrderWeights, weighted

Words = Sequence[str]
Compare = Callable[[Words, Sequence[Words]], OrderSimilarities]
ALONE: tuple[OrderWeights, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class SittingRewrites:
    """The rewrites of a sitting, and what a reader should know of them."""

    candidate: str
    rewrites: Mapping[str, str | None]
    """By the questions that were asked; None where there is no rewrite."""
    errors: Sequence[str]
    notes: Sequence[str]
    signature: str


def halves_of(test: Test, seed: int, asked: Container[str] | None = None) -> Halves:
    """Whole series to one half or the other, in the order of a hash of seed and id.

    Of those that were asked anything; which half a series is in does not depend on that.
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


def weighted_name(metric: str) -> ParsedName:
    """A metric that weighs orders, without weights of its own."""
    name = parse_name(metric)
    if name.base not in WEIGHTED:
        raise UsageError(f"metric {name.base} has no weights to tune; known: {', '.join(WEIGHTED)}")
    given = [key for key in "ubt" if key in name.parameters]
    if given:
        raise UsageError(f"tune finds the weights: leave {', '.join(given)} out of {metric}")
    return name


def spelt_with(name: ParsedName, weights: OrderWeights) -> str:
    """The metric's canonical name with the weights."""
    spelt, _ = METRICS.build(_with(name, weights))
    return str(spelt)


def _with(name: ParsedName, weights: OrderWeights) -> ParsedName:
    return ParsedName(name.base, {**name.parameters, **dict(zip("ubt", weights, strict=True))})


def comparing(test: Test, name: ParsedName) -> Compare:
    """The similarity of each order by the metric's own measure, of texts as lists of words.

    Words that were moved cannot be joined and cut again: Chinese would be cut otherwise.
    """
    [built] = build_metrics([str(name)], test).values()
    if not isinstance(built, WeightedOrders):
        raise UsageError(f"metric {name} has no weights to tune")
    if built.pairs != "sliding":
        raise UsageError(f"metric {name}: weights are tuned with sliding pairs only")
    measure = built.measure

    def compare(rewrite: Words, every: Sequence[Words]) -> OrderSimilarities:
        grams, golds = TextGrams(rewrite), [TextGrams(gold) for gold in every]
        return OrderSimilarities(
            np.array(
                [[weighted(measure, alone, grams, gold) for alone in ALONE] for gold in golds]
            ),
            np.array(
                [
                    [float(max(len(rewrite), len(gold)) >= order) for order in (1, 2, 3)]
                    for gold in every
                ]
            ),
        )

    return compare


def read_answers(test: Test, path: str | Path, metric: str) -> SittingRewrites:
    """The rewrites of a sitting; marking refuses one of another paper."""
    sitting = open_sitting(path, test.kind)
    marks = mark(test, sitting, metrics=[metric], settings=MarkSettings(draws=1))
    [of_metric] = marks.marks.values()
    said = rewrites_of(test, sitting)
    parts = without_interval(of_metric.signature).split("|")
    return SittingRewrites(
        candidate=sitting.candidate,
        rewrites={id: said.get(id) for id in marks.unit_vectors.ids},
        errors=list(marks.coverage.errors),
        notes=[*marks.notes, *(f"{sitting.candidate}: {note}" for note in wrong_notes(marks))],
        signature="|".join(part for part in parts if not part.startswith(("metric:", "weights:"))),
    )


def keyed(test: Test) -> Iterator[Unit]:
    """The questions that have a gold."""
    return (unit for unit in test.units() if test.kind.references(unit))


def golds_of(test: Test, unit: Unit) -> list[Words]:
    """The words of every gold of a question, known answers filled in."""
    cut = cutter(test.language)
    return [cut(gold) for gold in dict.fromkeys(golds(unit, test.kind.references(unit)))]


# Fitting the weights of a metric to people's judgements of rewrites.


LEAST = 3
"""Judged questions that each half needs."""


def fit_judgements(
    test: Test,
    sittings: Sequence[str | Path],
    judgements: str | Path,
    *,
    metric: str = "jaccard",
    seed: int = 1,
) -> FittedWeights:
    """Weights by least squares to people's scores of a sitting's rewrites."""
    test.require_kind("series")
    if len(sittings) != 1:
        raise UsageError(f"--judgements takes the one sitting they are of; found {len(sittings)}")
    name = weighted_name(metric)
    compare = comparing(test, name)
    cut = cutter(test.language)
    answers = read_answers(test, sittings[0], str(name))
    said = {id: cut(text) for id, text in answers.rewrites.items() if text is not None}
    judged = _judged(test, judgements)
    both = frozenset(judged) & frozenset(said)
    # In the order of ids, so that no sum depends on that of the file.
    units = sorted((unit for unit in keyed(test) if unit.id in both), key=lambda unit: unit.id)
    if not units:
        raise DataError("judges no rewrite of the sitting", file=judgements)
    halves = halves_of(test, seed)
    sides = []
    for label, half in (("train", halves.train), ("held", halves.held)):
        ids = frozenset(half)
        mine = [unit for unit in units if unit.group in ids]
        if len(mine) < LEAST:
            raise DataError(
                f"judges {counted(len(mine), 'rewrite')} of the {label} half of the series, "
                f"expected {LEAST} or more",
                file=judgements,
            )
        parts = [compare(said[unit.id], golds_of(test, unit)) for unit in mine]
        sides.append((parts, [judged[unit.id] for unit in mine]))
    # A score is linear in the weights only where every order counts.
    linear = [(parts, score) for parts, score in zip(*sides[0], strict=True) if parts.present.all()]
    if len(linear) < LEAST:
        raise DataError(
            f"judges {counted(len(linear), 'rewrite')} of three words or more in the train half of "
            f"the series, expected {LEAST} or more",
            file=judgements,
        )
    regression = regress(
        [parts for parts, _ in linear], [score for _, score in linear], CHOSEN, file=judgements
    )
    short = len(sides[0][0]) - len(linear)
    left = len(judged) - len(units)
    return FittedWeights(
        series=test.header.name or Path(test.file).name,
        candidate=answers.candidate,
        metric=spelt_with(name, regression.weights),
        halves=halves_of(test, seed, both),
        seed=seed,
        regression=regression,
        train=_correlations(*sides[0], regression.weights),
        held=_correlations(*sides[1], regression.weights),
        default_metric=spelt_with(name, CHOSEN),
        default_train=_correlations(*sides[0], CHOSEN),
        default_held=_correlations(*sides[1], CHOSEN),
        signature=answers.signature,
        errors=answers.errors,
        notes=[
            *answers.notes,
            *(
                [f"{judgements}: {counted(left, 'judged question')} without rewrite or gold"]
                if left
                else []
            ),
            *(
                [
                    f"{judgements}: the fit leaves out {counted(short, 'rewrite')} too short for "
                    "triples of words"
                ]
                if short
                else []
            ),
        ],
    )


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
    rewrites: Sequence[OrderSimilarities], people: Sequence[float], weights: OrderWeights
) -> Correlations:
    scores = np.array([float(mean_scores([parts], [weights])[0]) for parts in rewrites])
    judged = np.array(people, dtype=np.float64)
    # Rounded: sums in another order must not make a tie into two ranks.
    both = pearson(scores, judged), spearman(np.round(scores, 9), np.round(judged, 9))
    return Correlations(len(scores), *(None if math.isnan(value) else value for value in both))


def tune_weights(
    test: Test,
    sittings: Sequence[str | Path] = (),
    *,
    judgements: str | Path | None = None,
    metric: str = "jaccard",
    seed: int = 1,
    **search: Any,
) -> TunedWeights | FittedWeights:
    """Weights fitted to people's judgements where there are some, else ``search_weights``.

    Hidden splits are not tuned on, unless the test is one that was selected by its name.
    """
    shown, hidden = without_hidden(test, "for tuning")
    result: TunedWeights | FittedWeights
    if judgements is not None:
        result = fit_judgements(shown, sittings, judgements, metric=metric, seed=seed)
    else:
        result = search_weights(shown, sittings, metric=metric, seed=seed, **search)
    return replace(result, notes=[*hidden, *result.notes])


# Tuning the weights of a metric on one half of the series, and reporting the other.


SHOWN = 5


def search_weights(
    test: Test,
    sittings: Sequence[str | Path] = (),
    *,
    metric: str = "jaccard",
    most: int = 5,
    real: bool = False,
    order_cost: float = 0.1,
    seed: int = 1,
) -> TunedWeights:
    """The weights with the largest gap between two sittings, or between none and append."""
    test.require_kind("series")
    if most < 1:
        raise UsageError(f"the largest weight is {most}, expected 1 or more")
    if not 0 <= order_cost < 1:
        raise UsageError(f"order cost {order_cost} is not between 0 and 1")
    if len(sittings) not in (0, 2):
        raise UsageError(f"tune takes no sittings or two, the worse first; found {len(sittings)}")
    name = weighted_name(metric)
    compare = comparing(test, name)
    worse, better = _two(test, sittings, str(name))
    both = frozenset(worse.rewrites) & frozenset(better.rewrites)
    halves = halves_of(test, seed, both)
    train, probes = (
        _probes(test, frozenset(half), worse.rewrites, better.rewrites, compare, seed)
        for half in (halves.train, halves.held)
    )
    every = real_weights(seed) if real else integer_weights(most)
    if real:
        every += nearby_weights(_best(every, train, order_cost), seed)
    sound = _sound(every, train, order_cost)

    def weighting(weights: OrderWeights, why: str = "") -> Weighting:
        [here], [there] = try_weights(train, [weights]), try_weights(probes, [weights])
        meets = here.meets(order_cost), there.meets(order_cost)
        return Weighting(spelt_with(name, weights), weights, here, there, *meets, why)

    return TunedWeights(
        series=test.header.name or Path(test.file).name,
        low=worse.candidate,
        high=better.candidate,
        halves=halves,
        tried=len(every),
        met=len(sound),
        order_cost=order_cost,
        seed=seed,
        found=[weighting(weights) for weights in sound[:SHOWN]],
        beside=[weighting(CHOSEN, "the default"), weighting(UNIGRAMS, "words alone")],
        signature=worse.signature,
        errors=_errors(worse, better),
        notes=_notes(worse, better, len(both)),
    )


def _errors(*both: SittingRewrites) -> dict[str, Sequence[str]]:
    names = distinct_names([sitting_rewrites.candidate for sitting_rewrites in both])
    return {
        name: sitting_rewrites.errors
        for name, sitting_rewrites in zip(names, both, strict=True)
        if sitting_rewrites.errors
    }


def _notes(worse: SittingRewrites, better: SittingRewrites, both: int) -> list[str]:
    said = list(dict.fromkeys((*worse.notes, *better.notes)))
    apart = len(frozenset(worse.rewrites) | frozenset(better.rewrites)) - both
    if apart:
        said.append(f"asked of one of the two only, so not compared: {counted(apart, 'question')}")
    return said


def _two(test: Test, sittings: Sequence[str | Path], metric: str) -> Iterator[SittingRewrites]:
    if sittings:
        yield from (read_answers(test, path, metric) for path in sittings)
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for name in (NONE, APPEND):
            path = Path(folder) / f"{name}.jsonl"
            sit(test, name, path)
            yield read_answers(test, path, metric)


def _probes(
    test: Test,
    half: frozenset[str],
    worse: Mapping[str, str | None],
    better: Mapping[str, str | None],
    compare: Compare,
    seed: int,
) -> Probes:
    nothing = OrderSimilarities(np.zeros((1, 3)), np.ones((1, 3)))
    low: list[OrderSimilarities] = []
    high: list[OrderSimilarities] = []
    identical: list[OrderSimilarities] = []
    moved: list[OrderSimilarities] = []
    lost: list[OrderSimilarities] = []
    cut = cutter(test.language)
    for unit in keyed(test):
        if unit.group not in half or unit.id not in worse or unit.id not in better:
            continue
        every = golds_of(test, unit)
        for answers, into in ((worse, low), (better, high)):
            text = answers[unit.id]
            into.append(nothing if text is None else compare(cut(text), every))
        identical.append(compare(every[0], every))
        words = every[0]
        rng = random.Random(f"{seed}:{unit.id}")
        for index, word in enumerate(words):
            if is_content(word, test.language) and len(words) > 2:
                rest = [*words[:index], *words[index + 1 :]]
                to = rng.choice([place for place in range(len(words)) if place != index])
                moved.append(compare([*rest[:to], word, *rest[to:]], every[:1]))
                lost.append(compare(rest, every[:1]))
    if not moved:
        raise DataError("one half of the series has no gold with a content word", file=test.file)
    return Probes(low, high, identical, moved, lost)


def _sound(every: Sequence[OrderWeights], probes: Probes, order_cost: float) -> list[OrderWeights]:
    """Those that meet the requirements, the largest gap first, then the smallest weights."""
    tried = zip(every, try_weights(probes, every), strict=True)
    sound = [(weights, one) for weights, one in tried if one.meets(order_cost)]
    sound.sort(key=lambda pair: (-pair[1].gap, sum(pair[0]), pair[0]))
    return list(dict.fromkeys(weights for weights, _ in sound))


def _best(every: Sequence[OrderWeights], probes: Probes, order_cost: float) -> OrderWeights:
    """Where a finer search begins: the best sound one, else the default's share."""
    sound = _sound(every, probes, order_cost)
    whole = sum(CHOSEN)
    u, b, t = CHOSEN
    return sound[0] if sound else (u / whole, b / whole, t / whole)
