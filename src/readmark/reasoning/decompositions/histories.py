"""From score to score: in how many orders plays lead through all the readings.

A score stands from one event to the next, so a reading may find it between a quantity and what
follows it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from readmark.corpus.errors import UsageError
from readmark.reasoning.decompositions.combinations import MOST, Plays, orders, ways
from readmark.reasoning.decompositions.readings import Totals
from readmark.reasoning.decompositions.scheme import Scheme


class Moment(NamedTuple):
    """A score with what may have made it, and whether it can still be followed up."""

    totals: Totals
    lasts: frozenset[str] | None = None
    settled: bool = False


class Open(NamedTuple):
    """The last event may yet be followed: whose it was, and which play it is if it is not."""

    side: int
    play: int


class State(NamedTuple):
    """What has been played by each side, and whether the last event may yet be followed."""

    plays: tuple[Plays, ...]
    open: Open | None


Paths = dict[State, int]
"""In how many orders each state can have come about."""


def paths(scheme: Scheme, history: Sequence[Moment]) -> Paths:
    """The states after the last of the moments."""
    sides = len(history[0].totals)
    nothing = tuple((0,) * len(scheme.plays) for _ in range(sides))
    found: Paths = {State(nothing, None): 1}
    at: Totals = (0,) * sides
    for totals, last, settled in history:
        further: defaultdict[State, int] = defaultdict(int)
        gained = tuple(b - a for a, b in zip(at, totals, strict=True))
        for state, number in found.items():
            for after, many in _on(scheme, state, gained, last, settled=settled):
                further[after] += number * many
        found, at = dict(further), totals
    return found


def _on(
    scheme: Scheme, state: State, gained: Totals, last: frozenset[str] | None, *, settled: bool
) -> Iterator[tuple[State, int]]:
    """Where a state leads when the sides have gained so much more."""
    idle = State(state.plays, None) if settled else state
    yield from _plays(scheme, idle, gained, last, settled=settled)
    if state.open is None:
        return
    side, play = state.open
    leader = scheme.plays[play].quantity
    for at, one in enumerate(scheme.plays):
        if one.quantity != leader or one.follower is None:
            continue
        worth = scheme.quantities[one.follower].worth
        if worth > gained[side]:
            continue
        changed = _changed(state.plays, side, {play: -1, at: 1})
        left = tuple(each - worth * (number == side) for number, each in enumerate(gained))
        closed = State(changed, None)
        if any(left):
            yield from _plays(scheme, closed, left, last, settled=settled)
        elif last is None or one.follower in last:
            yield closed, 1


def _plays(
    scheme: Scheme, state: State, gained: Totals, last: frozenset[str] | None, *, settled: bool
) -> Iterator[tuple[State, int]]:
    """Whole plays that gain so much; where nothing is to be gained, the state as it is."""
    if not any(gained):
        if last is None:
            yield state, 1
        return
    worths = tuple(one.worth for one in scheme.plays)
    several = [ways(total, worths) for total in gained]
    if math.prod(map(len, several)) > MOST:
        score = " to ".join(map(str, gained))
        raise UsageError(f"{score} has more than {MOST:,} decompositions: ask side by side")
    for each in product(*several):
        plays = tuple(
            tuple(map(int.__add__, before, new))
            for before, new in zip(state.plays, each, strict=True)
        )
        if settled and last is None:
            yield State(plays, None), orders(tuple(chain.from_iterable(each)))
            continue
        for how, number in _ends(scheme, each, last, settled=settled).items():
            yield State(plays, how), number


def _ends(
    scheme: Scheme, each: Sequence[Plays], last: frozenset[str] | None, *, settled: bool
) -> dict[Open | None, int]:
    """In how many orders the plays can come, by what the last of them leaves open."""
    flat = tuple(chain.from_iterable(each))
    every, total = orders(flat), sum(flat)
    ended: defaultdict[Open | None, int] = defaultdict(int)
    for at, count in enumerate(flat):
        side, number = divmod(at, len(scheme.plays))
        play = scheme.plays[number]
        if count and (last is None or (play.follower or play.quantity) in last):
            open_ = number in scheme.unfollowed and not settled
            ended[Open(side, number) if open_ else None] += every * count // total
    return ended


def _changed(plays: tuple[Plays, ...], side: int, by: dict[int, int]) -> tuple[Plays, ...]:
    own = tuple(count + by.get(at, 0) for at, count in enumerate(plays[side]))
    return (*plays[:side], own, *plays[side + 1 :])
