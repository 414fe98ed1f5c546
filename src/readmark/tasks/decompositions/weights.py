"""How likely each way of coming to some scores is, up to what all the ways share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from readmark.tasks.decompositions.count_facts import CountFact, read_fact
from readmark.tasks.decompositions.histories import History, histories
from readmark.tasks.decompositions.paths import Moment, State, paths
from readmark.tasks.decompositions.prior import ONE
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.score_readings import ScoreReading
from readmark.tasks.decompositions.ways import Plays, orders

CountsOfSides = tuple[tuple[int, ...], ...]
"""How often each quantity occurred, side by side."""


@dataclass(frozen=True, slots=True)
class _SidePlays:
    """One side's plays: their counts, whether the domain allows them, the chance of an order."""

    counts: Mapping[str, int]
    key: tuple[int, ...]
    is_allowed: bool
    number: int
    chance: Fraction


def weigh(
    scheme: Scheme,
    readings: Sequence[ScoreReading],
    names: Sequence[str],
    known: Sequence[str | CountFact],
    *,
    final: bool,
) -> Iterator[tuple[History, CountsOfSides, Fraction]]:
    """What the scores may mean, with which counts, and its weight; a pair may come repeatedly."""
    facts = [
        read_fact(fact, scheme.quantities, names) if isinstance(fact, str) else fact
        for fact in known
    ]
    lasts = [None if reading.last is None else scheme.named(reading.last) for reading in readings]
    settled = [reading.settled for reading in readings]
    settled[-1] = settled[-1] or final
    readings_before_end = len(readings) - 1 if final else None

    @cache  # The same plays of a side recur with all those of the others.
    def side_plays(plays: Plays) -> _SidePlays:
        counts, chance = scheme.counts(plays), ONE
        for play, count in zip(scheme.plays, plays, strict=True):
            chance *= scheme.prior.play(play.quantity, play.follower) ** count
        key = tuple(counts.values())
        return _SidePlays(counts, key, scheme.allows(counts), sum(plays), chance)

    for history in histories(scheme, readings, names):
        moments = list(map(Moment, history, lasts, settled))
        for state, number in paths(scheme, moments).items():
            sides = list(map(side_plays, state.plays))
            if not all(side.is_allowed for side in sides):
                continue
            if facts:
                counts = dict(zip(names, (side.counts for side in sides), strict=True))
                if not all(fact.holds(counts) for fact in facts):
                    continue
            weight = number * _weight_of_order(scheme, state, sides, readings_before_end)
            yield history, tuple(side.key for side in sides), weight


def _weight_of_order(
    scheme: Scheme, state: State, sides: Sequence[_SidePlays], readings_before_end: int | None
) -> Fraction:
    """How likely one order of the state's plays is, up to what all orders share.

    ``readings_before_end`` is how many scores were read before that of the finished whole: where
    they fall among the plays is open, so that every arrangement of both is alike. None is a whole
    that goes on.
    """
    prior = scheme.prior
    numbers = [side.number for side in sides]
    weight = math.prod((side.chance for side in sides), start=ONE)
    if readings_before_end is None:
        if state.open is not None:  # what follows is not yet decided
            weight /= prior.follows(scheme.plays[state.open.play].quantity, None)
        return weight / Fraction(len(numbers) ** sum(numbers))
    weight *= math.prod((prior.numbers.chance(number) for number in numbers), start=ONE)
    arrangements = math.comb(sum(numbers) + readings_before_end, readings_before_end)
    return weight / (orders(numbers) * arrangements)
