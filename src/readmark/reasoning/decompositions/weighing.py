"""How likely each way of coming to some scores is, up to what all the ways share.

Plays come one after the other, each by its share. When all is over, a side has had so many of them
as the prior says, and they come among those of the other sides in any order alike; while it goes
on, the next may be any side's alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from readmark.reasoning.decompositions.combinations import Plays, orders
from readmark.reasoning.decompositions.facts import Fact, read_fact
from readmark.reasoning.decompositions.histories import Moment, State, paths
from readmark.reasoning.decompositions.prior import ONE
from readmark.reasoning.decompositions.readings import Reading, Totals, possible, rising
from readmark.reasoning.decompositions.scheme import Scheme

Key = tuple[tuple[int, ...], ...]
"""How often each quantity occurred, side by side."""


def weigh(
    scheme: Scheme,
    readings: Sequence[Reading],
    names: Sequence[str],
    known: Sequence[str | Fact],
    *,
    final: bool,
) -> Iterator[tuple[tuple[Totals, ...], Key, Fraction]]:
    """What the scores may mean, with which counts, and its weight; a pair may come repeatedly."""
    facts = [
        read_fact(one, scheme.quantities, names) if isinstance(one, str) else one for one in known
    ]
    lasts = [None if one.last is None else scheme.named(one.last) for one in readings]
    before = len(readings) - 1 if final else None
    settled = [one.settled for one in readings]
    settled[-1] = settled[-1] or final
    sides = [_Side(scheme) for _ in names]
    for history in rising(possible(readings, names)):
        moments = list(map(Moment, history, lasts, settled))
        for state, number in paths(scheme, moments).items():
            each = [side.of(plays) for side, plays in zip(sides, state.plays, strict=True)]
            if not all(one.allowed for one in each):
                continue
            if facts:
                by_side = dict(zip(names, (one.counts for one in each), strict=True))
                if not all(fact.holds(by_side) for fact in facts):
                    continue
            weight = number * _weight(scheme, state, each, before=before)
            yield history, tuple(one.key for one in each), weight


@dataclass(frozen=True, slots=True)
class _Played:
    """One side's plays: their counts, whether the domain allows them, the chance of an order."""

    counts: Mapping[str, int]
    key: tuple[int, ...]
    allowed: bool
    number: int
    chance: Fraction


class _Side:
    """What is known of plays, kept, since the same come again beside every other side's."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._known: dict[Plays, _Played] = {}

    def of(self, plays: Plays) -> _Played:
        if plays not in self._known:
            scheme = self._scheme
            counts, chance = scheme.counts(plays), ONE
            for play, count in zip(scheme.plays, plays, strict=True):
                chance *= scheme.prior.play(play.quantity, play.follower) ** count
            self._known[plays] = _Played(
                counts, tuple(counts.values()), scheme.allows(counts), sum(plays), chance
            )
        return self._known[plays]


def _weight(
    scheme: Scheme, state: State, sides: Sequence[_Played], *, before: int | None
) -> Fraction:
    """How likely one order of the state's plays is, up to what all orders share.

    ``before`` is how many scores were read before that of the finished whole: where they fall among
    the plays is open, so that every arrangement of both is alike. None is a whole that goes on.
    """
    prior = scheme.prior
    numbers = [one.number for one in sides]
    weight = math.prod((one.chance for one in sides), start=ONE)
    if before is None:
        if state.open is not None:  # what follows is not yet decided
            weight /= prior.follows(scheme.plays[state.open.play].quantity, None)
        return weight / Fraction(len(numbers) ** sum(numbers))
    weight *= math.prod((prior.numbers.chance(one) for one in numbers), start=ONE)
    return weight / (orders(numbers) * math.comb(sum(numbers) + before, before))
