"""The contexts of one conflict: the greatest sets of statements that include no contradiction.

Statements are numbers here, and decided one after the other: kept or dropped. Of a partial context
only three things matter for what may follow: which contradictions are still whole, which have lost
a single statement, and which drops must still turn out to be needed. Partial contexts that agree
in these are one state with the sum of their weights, so that a chain of a thousand conflicts, with
more contexts than can be listed, is still added up exactly.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import NamedTuple

from readmark.tasks.reasoning.engine.worlds import bits

MOST_LISTED = 10  # contexts of a conflict that a reader may still want to compare
WIDTH = 4_000  # states that are followed at once; where all fit, the result is exact
HURRIED = 20  # in the second half of the time, so many times fewer states are followed
ROUNDING = 1e-9
"""Sums of logarithms that differ by less are equal: the same factors in another order."""


class WeightedContext(NamedTuple):
    """A context and the logarithm of its weight; of each number, whether it is kept."""

    weight: float
    kept: list[bool]


class ContextList(NamedTuple):
    """The likeliest contexts, and the weight of all of them. Weights are logarithms."""

    contexts: list[WeightedContext]
    total: float
    missed: float
    """The most that contexts that were not looked at can weigh together."""
    examined: int
    """How many contexts were looked at."""


def list_contexts(
    probabilities: Sequence[float],
    conflicts: Sequence[frozenset[int]],
    *,
    most: int = MOST_LISTED,
    width: int = WIDTH,
    end: float = math.inf,
) -> ContextList:
    """The greatest sets of numbers that include no conflict, the likeliest first.

    Numbers of probability 1 are certain: one is dropped only for others that are certain. ``width``
    limits the states that are followed at once; fewer are when ``time.monotonic()`` nears ``end``.
    """
    begin = time.monotonic()
    layout = _layout(probabilities, conflicts)
    nothing_decided = _State(whole=(1 << len(conflicts)) - 1, short=0, unproven=0)
    states = {nothing_decided: _Bundle(0.0, [_Partial(0.0, True, None)], 1)}
    missed = -math.inf
    for place, number in enumerate(layout.order):
        probability = probabilities[number]
        weights = {True: 0.0, False: 0.0} if probability == 1 else _log_weights(probability)
        following: dict[_State, _Bundle] = {}
        for state, bundle in states.items():
            for keep in (True, False):
                after = _decide(state, place, keep, probability == 1, layout)
                if after is not None:
                    following.setdefault(after, _Bundle()).add(bundle, keep, weights[keep])
        for bundle in following.values():
            if len(bundle.best) > most:
                bundle.best = nlargest(most, bundle.best, key=lambda partial: partial.weight)
        allowed = _allowed_width(width, begin, end)
        if len(following) > allowed:
            ranked = sorted(following.items(), key=lambda item: -item[1].best[0].weight)
            # The choices for an uncertain number weigh p + (1 - p) = 1 together, whatever they
            # are. Those for a certain one weigh 1 each, which doubles what may be missed.
            certain_ahead = sum(probabilities[later] == 1 for later in layout.order[place + 1 :])
            for _, bundle in ranked[allowed:]:
                missed = log_sum(missed, bundle.total + certain_ahead * math.log(2))
            following = dict(ranked[:allowed])
        states = following

    total = -math.inf
    for bundle in states.values():
        total = log_sum(total, bundle.total)
    examined = sum(bundle.count for bundle in states.values())
    partials = (partial for bundle in states.values() for partial in bundle.best)
    contexts = [
        WeightedContext(partial.weight, partial.decisions(layout.order))
        for partial in nlargest(most, partials, key=lambda partial: partial.weight)
    ]
    contexts.sort(key=_preference)
    if missed > -math.inf:
        # The states that were followed may all have led nowhere, or to worse than this.
        greedy = _greedy_context(probabilities, conflicts)
        if not contexts or greedy.weight > contexts[0].weight + ROUNDING:
            contexts = [greedy, *contexts][:most]
            total = log_sum(total, greedy.weight)
            examined += 1
    return ContextList(contexts, total, missed, examined)


def log_sum(a: float, b: float) -> float:
    """The logarithm of a sum, of the logarithms of its terms."""
    high, low = (a, b) if a >= b else (b, a)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


class _State(NamedTuple):
    """What partial contexts must agree in to go on alike: bits of conflicts and of places."""

    whole: int
    """Conflicts of which nothing has been dropped yet."""
    short: int
    """Conflicts that have lost one number, whose drop they may prove needed."""
    unproven: int
    """Places whose drop must still turn out to be needed, or the context is not a greatest one."""


class _Partial(NamedTuple):
    """The last decision of a partial context, linked to the earlier ones."""

    weight: float
    keep: bool
    before: _Partial | None

    def decisions(self, order: Sequence[int]) -> list[bool]:
        """Of each number, whether it is kept."""
        kept = [True] * len(order)
        partial: _Partial | None = self
        for number in reversed(order):
            if partial is None:
                break
            kept[number] = partial.keep
            partial = partial.before
        return kept


@dataclass(slots=True)
class _Bundle:
    """The partial contexts of one state: their weight in sum, the likeliest, their count."""

    total: float = -math.inf
    best: list[_Partial] = field(default_factory=list)
    count: int = 0

    def add(self, earlier: _Bundle, keep: bool, weight: float) -> None:
        """Partial contexts of an earlier state with one decision more."""
        self.total = log_sum(self.total, earlier.total + weight)
        self.count += earlier.count
        self.best += [_Partial(partial.weight + weight, keep, partial) for partial in earlier.best]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The order in which numbers are decided, and the conflicts as bits; a place is in it."""

    order: list[int]
    conflicts_of: list[int]
    """Of each place, its conflicts."""
    ending_at: list[int]
    """Of each place, the conflicts that have no member after it."""
    near: list[int]
    """Of each place, the places that share a conflict with it, itself included."""
    members: list[int]
    """Of each conflict, its places."""
    all_certain: int
    """The conflicts whose members are all certain."""


def _layout(probabilities: Sequence[float], conflicts: Sequence[frozenset[int]]) -> _Layout:
    order = _decision_order(len(probabilities), conflicts)
    place_of = {number: place for place, number in enumerate(order)}
    conflicts_of = [0] * len(order)
    ending_at = [0] * len(order)
    members = [0] * len(conflicts)
    all_certain = 0
    for index, conflict in enumerate(conflicts):
        places = [place_of[number] for number in conflict]
        for place in places:
            conflicts_of[place] |= 1 << index
            members[index] |= 1 << place
        ending_at[max(places)] |= 1 << index
        if all(probabilities[number] == 1 for number in conflict):
            all_certain |= 1 << index
    near = [0] * len(order)
    for place in range(len(order)):
        for index in bits(conflicts_of[place]):
            near[place] |= members[index]
    return _Layout(order, conflicts_of, ending_at, near, members, all_certain)


def _decision_order(count: int, conflicts: Sequence[frozenset[int]]) -> list[int]:
    """An order in which few conflicts are open at a time, so that there are few states.

    Greedily: next is the number that opens the fewest conflicts, less those that it closes. It
    starts from numbers in few conflicts, which are the ends of chains.
    """
    conflicts_of = _conflicts_by_number(count, conflicts)
    undecided = {index: len(conflict) for index, conflict in enumerate(conflicts)}
    opened: set[int] = set()
    decided: set[int] = set()
    order: list[int] = []

    def cost(number: int) -> tuple[int, int]:
        opens = sum(1 for index in conflicts_of[number] if index not in opened)
        closes = sum(1 for index in conflicts_of[number] if undecided[index] == 1)
        return opens - closes, number

    for start in sorted(range(count), key=lambda number: (len(conflicts_of[number]), number)):
        if start in decided:
            continue
        reached = {start}
        while reached:
            number = min(reached, key=cost)
            reached.remove(number)
            decided.add(number)
            order.append(number)
            for index in conflicts_of[number]:
                undecided[index] -= 1
                if index not in opened:
                    opened.add(index)
                    reached.update(conflicts[index] - decided)
    return order


def _decide(state: _State, place: int, keep: bool, certain: bool, layout: _Layout) -> _State | None:
    """The state after the number at a place is kept or dropped; None if it leads to no context."""
    whole, short, unproven = state
    conflicts_of, ending = layout.conflicts_of, layout.ending_at[place]
    if keep:
        if whole & ending:  # Everything of a conflict would be kept.
            return None
    else:
        newly_short = whole & conflicts_of[place]
        if certain:  # A certain number is dropped only for others that are certain.
            newly_short &= layout.all_certain
        # A conflict that loses a second number shows of neither that its drop was needed.
        short = (short & ~conflicts_of[place]) | newly_short
        whole &= ~conflicts_of[place]
        unproven |= 1 << place
    proving = short & ending
    if proving:  # All else of these conflicts is kept: the one drop in each was needed.
        proven = 0
        for index in bits(proving):
            proven |= layout.members[index] & unproven
        for proven_place in bits(proven):
            short &= ~conflicts_of[proven_place]
        unproven &= ~proven
    for open_place in bits(unproven & (layout.near[place] | 1 << place)):
        if not short & conflicts_of[open_place]:  # Nothing is left that could prove this drop.
            return None
    return _State(whole & ~ending, short, unproven)


def _greedy_context(
    probabilities: Sequence[float], conflicts: Sequence[frozenset[int]]
) -> WeightedContext:
    """The context in which each number, the likelier first, is kept if it still can be."""
    conflicts_of = _conflicts_by_number(len(probabilities), conflicts)
    not_kept = [len(conflict) for conflict in conflicts]
    kept = [False] * len(probabilities)
    weight = 0.0
    for number in sorted(range(len(probabilities)), key=lambda number: -probabilities[number]):
        kept[number] = all(not_kept[index] > 1 for index in conflicts_of[number])
        if kept[number]:
            for index in conflicts_of[number]:
                not_kept[index] -= 1
        if probabilities[number] < 1:
            weight += _log_weights(probabilities[number])[kept[number]]
    return WeightedContext(weight, kept)


def _conflicts_by_number(count: int, conflicts: Sequence[frozenset[int]]) -> list[list[int]]:
    conflicts_of: list[list[int]] = [[] for _ in range(count)]
    for index, conflict in enumerate(conflicts):
        for number in conflict:
            conflicts_of[number].append(index)
    return conflicts_of


def _log_weights(probability: float) -> dict[bool, float]:
    return {True: math.log(probability), False: math.log1p(-probability)}


def _allowed_width(width: int, begin: float, end: float) -> int:
    """How many states are followed: fewer in the second half of the time, and one after it."""
    now = time.monotonic()
    if now >= end:
        return 1
    return width if now - begin < (end - begin) / 2 else max(width // HURRIED, 1)


def _preference(context: WeightedContext) -> tuple[float, int, list[int]]:
    """The likeliest first; of equals the one that keeps the most, then what was stated first."""
    dropped = [-number for number, keep in enumerate(context.kept) if not keep]
    return round(-context.weight, 9), len(dropped), dropped
