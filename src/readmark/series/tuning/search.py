"""The weights with the largest gap between two sittings, under the document's requirements."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.records import distinct_names
from readmark.core.test import Test
from readmark.series.strategies import APPEND, NONE
from readmark.series.tables.document_metrics import CHOSEN, UNIGRAMS
from readmark.series.tuning.halves import halves_of
from readmark.series.tuning.probes import Probes, build_probes, try_weights
from readmark.series.tuning.sitting_rewrites import SittingRewrites, read_rewrites
from readmark.series.tuning.tuned_weights import TunedWeights, Weighting
from readmark.series.tuning.weighted_metric import (
    name_with_weights,
    order_comparison,
    weighted_name,
)
from readmark.series.tuning.weightings import integer_weights, nearby_weights, real_weights
from readmark.sitting import sit
from readmark.statistics.similarity.order_weights import OrderWeights

_BEST_SHOWN = 5


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
    compare = order_comparison(test, name)
    worse, better = _two_sittings(test, sittings, str(name))
    common = frozenset(worse.rewrites) & frozenset(better.rewrites)
    halves = halves_of(test, seed, common)
    train, held = (
        build_probes(test, frozenset(half), worse.rewrites, better.rewrites, compare, seed)
        for half in (halves.train, halves.held)
    )
    weightings = real_weights(seed) if real else integer_weights(most)
    if real:
        weightings += nearby_weights(_best(weightings, train, order_cost), seed)
    sound = _sound(weightings, train, order_cost)

    def weighting(weights: OrderWeights, why: str = "") -> Weighting:
        [on_train], [on_held] = try_weights(train, [weights]), try_weights(held, [weights])
        return Weighting(
            metric=name_with_weights(name, weights),
            weights=weights,
            train=on_train,
            held=on_held,
            meets=on_train.meets(order_cost),
            meets_held=on_held.meets(order_cost),
            why=why,
        )

    names = distinct_names([worse.candidate, better.candidate])
    notes = list(dict.fromkeys((*worse.notes, *better.notes)))
    not_compared = len(frozenset(worse.rewrites) ^ frozenset(better.rewrites))
    if not_compared:
        questions = counted(not_compared, "question")
        notes.append(f"asked of one of the two only, so not compared: {questions}")
    return TunedWeights(
        series=test.header.name or Path(test.file).name,
        low=worse.candidate,
        high=better.candidate,
        halves=halves,
        tried=len(weightings),
        met=len(sound),
        order_cost=order_cost,
        seed=seed,
        found=[weighting(weights) for weights in sound[:_BEST_SHOWN]],
        beside=[weighting(CHOSEN, "the default"), weighting(UNIGRAMS, "words alone")],
        signature=worse.signature,
        errors={
            candidate: sitting.errors
            for candidate, sitting in zip(names, (worse, better), strict=True)
            if sitting.errors
        },
        notes=notes,
    )


def _two_sittings(
    test: Test, sittings: Sequence[str | Path], metric: str
) -> Iterator[SittingRewrites]:
    if sittings:
        yield from (read_rewrites(test, path, metric) for path in sittings)
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for name in (NONE, APPEND):
            path = Path(folder) / f"{name}.jsonl"
            sit(test, name, path)
            yield read_rewrites(test, path, metric)


def _sound(
    weightings: Sequence[OrderWeights], probes: Probes, order_cost: float
) -> list[OrderWeights]:
    """Those that meet the requirements, the largest gap first, then the smallest weights."""
    pairs = zip(weightings, try_weights(probes, weightings), strict=True)
    sound = [(weights, tried) for weights, tried in pairs if tried.meets(order_cost)]
    sound.sort(key=lambda pair: (-pair[1].gap, sum(pair[0]), pair[0]))
    return list(dict.fromkeys(weights for weights, _ in sound))


def _best(weightings: Sequence[OrderWeights], probes: Probes, order_cost: float) -> OrderWeights:
    """Where a finer search begins: the best sound weighting, else the default, summing to 1."""
    sound = _sound(weightings, probes, order_cost)
    total = sum(CHOSEN)
    u, b, t = CHOSEN
    return sound[0] if sound else (u / total, b / total, t / total)
