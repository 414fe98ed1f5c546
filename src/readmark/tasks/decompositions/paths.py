"""From score to score: in how many orders plays lead through all the readings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.histories import Totals
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.ways import MOST_WAYS, Plays, orders, ways


class Moment(NamedTuple):
    """A score with what may have made it, and whether it can still be followed up."""

    totals: Totals
    lasts: frozenset[str] | None = None
    settled: bool = False


class Unfollowed(NamedTuple):
    """The last event, which may yet be followed: its side, and the play it is if it is not."""

    side: int
    play: int


class State(NamedTuple):
    """What has been played by each side, and the last event where it may yet be followed."""

    plays: tuple[Plays, ...]
    open: Unfollowed | None


class _Step(NamedTuple):
    """What the sides gain from one moment to the next, and what is known of how it ends."""

    gained: Totals
    lasts: frozenset[str] | None
    settled: bool

    def ends_with(self, quantity: str) -> bool:
        """Whether a quantity may be what made the score."""
        return self.lasts is None or quantity in self.lasts


def paths(scheme: Scheme, history: Sequence[Moment]) -> dict[State, int]:
    """The states after the last moment, and in how many orders each can have come about."""
    sides = len(history[0].totals)
    nothing = tuple((0,) * len(scheme.plays) for _ in range(sides))
    states = {State(nothing, None): 1}
    before: Totals = (0,) * sides
    for moment in history:
        gained = tuple(after - total for total, after in zip(before, moment.totals, strict=True))
        step = _Step(gained, moment.lasts, moment.settled)
        next_states: defaultdict[State, int] = defaultdict(int)
        for state, number in states.items():
            for next_state, ways_there in _after(scheme, state, step):
                next_states[next_state] += number * ways_there
        states, before = dict(next_states), moment.totals
    return states


def _after(scheme: Scheme, state: State, step: _Step) -> Iterator[tuple[State, int]]:
    """Where a state leads in a step, and in how many orders."""
    unfollowed = State(state.plays, None) if step.settled else state
    yield from _with_new_plays(scheme, unfollowed, step)
    if state.open is None:
        return
    # The step may begin with what follows the last event: that event becomes another play.
    side, leading = state.open
    for index, play in enumerate(scheme.plays):
        if play.quantity != scheme.plays[leading].quantity or play.follower is None:
            continue
        worth = scheme.quantities[play.follower].worth
        if worth > step.gained[side]:
            continue
        counts = list(state.plays[side])
        counts[leading] -= 1
        counts[index] += 1
        followed = State((*state.plays[:side], tuple(counts), *state.plays[side + 1 :]), None)
        rest = list(step.gained)
        rest[side] -= worth
        if any(rest):
            yield from _with_new_plays(scheme, followed, step._replace(gained=tuple(rest)))
        elif step.ends_with(play.follower):
            yield followed, 1


def _with_new_plays(scheme: Scheme, state: State, step: _Step) -> Iterator[tuple[State, int]]:
    """New plays that gain so much; where nothing is to be gained, the state as it is."""
    if not any(step.gained):
        if step.lasts is None:
            yield state, 1
        return
    worths = tuple(play.worth for play in scheme.plays)
    ways_of_sides = [ways(total, worths) for total in step.gained]
    if math.prod(map(len, ways_of_sides)) > MOST_WAYS:
        score = " to ".join(map(str, step.gained))
        raise UsageError(f"{score} has more than {MOST_WAYS:,} decompositions: ask side by side")
    for new_plays in product(*ways_of_sides):
        plays = tuple(
            tuple(map(int.__add__, before, new))
            for before, new in zip(state.plays, new_plays, strict=True)
        )
        if step.settled and step.lasts is None:
            yield State(plays, None), orders(tuple(chain.from_iterable(new_plays)))
            continue
        for last, number in _by_last_play(scheme, new_plays, step).items():
            yield State(plays, last), number


def _by_last_play(
    scheme: Scheme, new_plays: Sequence[Plays], step: _Step
) -> dict[Unfollowed | None, int]:
    """In how many orders the plays can come, by what the last of them leaves open."""
    counts = tuple(chain.from_iterable(new_plays))
    all_orders, total = orders(counts), sum(counts)
    by_last: defaultdict[Unfollowed | None, int] = defaultdict(int)
    for index, count in enumerate(counts):
        side, number = divmod(index, len(scheme.plays))
        play = scheme.plays[number]
        if count and step.ends_with(play.follower or play.quantity):
            is_open = number in scheme.unfollowed and not step.settled
            # Each of the `total` plays is last in equally many orders.
            by_last[Unfollowed(side, number) if is_open else None] += all_orders * count // total
    return by_last
