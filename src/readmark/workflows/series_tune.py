"""Tuning the weights of a metric on one half of the series, and reporting the other."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Test
from readmark.marking.people import told_apart
from readmark.marking.series.failures import is_content
from readmark.marking.series.tables import APPEND, CHOSEN, NONE, UNIGRAMS
from readmark.marking.series.tuned import Tuned, Weighting
from readmark.marking.series.weights import (
    Parts,
    Probes,
    nearby_weights,
    real_weights,
    try_weights,
    whole_weights,
)
from readmark.measures.similarity.orders import Weights
from readmark.measures.similarity.words import cutter
from readmark.workflows import api
from readmark.workflows.series import require_series
from readmark.workflows.series_parts import (
    Answered,
    Compare,
    comparing,
    golds_of,
    halves_of,
    keyed,
    read_answers,
    spelt_with,
    weighted_name,
)

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
) -> Tuned:
    """The weights with the largest gap between two sittings, or between none and append."""
    require_series(test)
    if most < 1:
        raise UsageError(f"the largest weight is {most}, expected 1 or more")
    if not 0 <= order_cost < 1:
        raise UsageError(f"order cost {order_cost} is not between 0 and 1")
    if len(sittings) not in (0, 2):
        raise UsageError(f"tune takes no sittings or two, the worse first; found {len(sittings)}")
    name = weighted_name(metric)
    compare = comparing(test, name)
    worse, better = _two(test, sittings, str(name))
    both = frozenset(worse.said) & frozenset(better.said)
    halves = halves_of(test, seed, both)
    train, held = (
        _probes(test, frozenset(half), worse.said, better.said, compare, seed)
        for half in (halves.train, halves.held)
    )
    every = real_weights(seed) if real else whole_weights(most)
    if real:
        every += nearby_weights(_best(every, train, order_cost), seed)
    sound = _sound(every, train, order_cost)

    def weighting(weights: Weights, why: str = "") -> Weighting:
        [here], [there] = try_weights(train, [weights]), try_weights(held, [weights])
        meets = here.meets(order_cost), there.meets(order_cost)
        return Weighting(spelt_with(name, weights), weights, here, there, *meets, why)

    return Tuned(
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


def _errors(*both: Answered) -> dict[str, Sequence[str]]:
    names = told_apart([one.candidate for one in both])
    return {name: one.errors for name, one in zip(names, both, strict=True) if one.errors}


def _notes(worse: Answered, better: Answered, both: int) -> list[str]:
    said = list(dict.fromkeys((*worse.notes, *better.notes)))
    apart = len(frozenset(worse.said) | frozenset(better.said)) - both
    if apart:
        said.append(f"{apart} questions were asked of one of the two only, and not compared")
    return said


def _two(test: Test, sittings: Sequence[str | Path], metric: str) -> Iterator[Answered]:
    if sittings:
        yield from (read_answers(test, path, metric) for path in sittings)
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for name in (NONE, APPEND):
            path = Path(folder) / f"{name}.jsonl"
            api.sit(test, name, path)
            yield read_answers(test, path, metric)


def _probes(
    test: Test,
    half: frozenset[str],
    worse: Mapping[str, str | None],
    better: Mapping[str, str | None],
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
    for unit in keyed(test):
        if unit.group not in half or unit.id not in worse or unit.id not in better:
            continue
        every = golds_of(test, unit)
        for answers, into in ((worse, low), (better, high)):
            said = answers[unit.id]
            into.append(nothing if said is None else compare(cut(said), every))
        identical.append(compare(every[0], every))
        words = every[0]
        rng = random.Random(f"{seed}:{unit.id}")
        for at, word in enumerate(words):
            if is_content(word, test.language) and len(words) > 2:
                rest = [*words[:at], *words[at + 1 :]]
                to = rng.choice([place for place in range(len(words)) if place != at])
                moved.append(compare([*rest[:to], word, *rest[to:]], every[:1]))
                lost.append(compare(rest, every[:1]))
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
