"""Every way in which plays make a total, and in how many orders each can come."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, product
from typing import NamedTuple

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.scheme import ONE, CountFact, Scheme, read_fact

Totals = tuple[int, ...]
"""Every side's total, in the order of the sides."""

MOST_HISTORIES = 20_000
"""Histories beyond which scores are refused as leaving too much open."""


@dataclass(frozen=True)
class ScoreReading:
    """A score at some moment: totals by side, or totals of which one does not know whose they are.

    ``last`` names what made it this score: a quantity, or a kind of quantities. A ``settled`` score
    is one at a break, when nothing can any more follow what came last.
    """

    scores: Mapping[str, int] = field(default_factory=dict)
    either: tuple[int, ...] = ()
    last: str | None = None
    settled: bool = False


def sides_of(readings: Sequence[ScoreReading], sides: Sequence[str] = ()) -> tuple[str, ...]:
    """The sides that are given, else those that the readings name, in their order."""
    named = dict.fromkeys(name for reading in readings for name in reading.scores)
    found = tuple(sides) or tuple(named)
    if strangers := [name for name in named if name not in found]:
        raise UsageError(f"{strangers[0]!r} is none of the sides {', '.join(found)}")
    for reading in readings:
        if any(total < 0 for total in (*reading.scores.values(), *reading.either)):
            raise UsageError("a total is not less than 0")
        if reading.either and (reading.scores or len(reading.either) != len(found)):
            totals = " to ".join(map(str, reading.either))
            raise UsageError(f"{totals} is a total a side, of {len(found)} sides, and nothing else")
    if not found:
        raise UsageError("no side is named")
    return found


WITHIN = 0.999
"""An open total is taken to be among those that so many finished sides stay within."""


@dataclass(frozen=True, slots=True)
class OpenTotal:
    """A total that no score states from some reading on, and the totals that are considered."""

    side: str
    reading: int
    low: int
    high: int


def open_totals(
    scheme: Scheme, readings: Sequence[ScoreReading], sides: Sequence[str]
) -> list[OpenTotal]:
    """The sides that the last scores do not state, each from the first such score on.

    How much such a side has is bounded by nothing that was said, only by what the prior has sides
    score: given what it had, it stays within the highest total with the chance ``WITHIN``.
    """
    found = []
    for side in sides:
        stated = [index for index, reading in enumerate(readings) if _said(reading, side)]
        first = stated[-1] + 1 if stated else 0
        if first < len(readings):
            before = [_said(readings[index], side) for index in stated]
            low = max(map(min, before), default=0)
            high = highest_total(scheme, max(map(max, before), default=0))
            found.append(OpenTotal(side, first, low, high))
    # Every further open total multiplies the histories by some fifty.
    if sum(len(readings) - one.reading for one in found) > 1:
        side = found[-1].side
        raise UsageError(
            f"the total of {side} is open in several scores: state it in all but the last"
            if len(found) == 1
            else f"the totals of {' and '.join(one.side for one in found)} are open: state one"
        )
    return found


def highest_total(scheme: Scheme, least: int) -> int:
    """What a side that has so much stays within, by the prior of a finished whole."""
    prior = scheme.prior
    plays = [(play.worth, float(prior.play(play.quantity, play.follower))) for play in scheme.plays]
    chances: defaultdict[int, float] = defaultdict(float)
    after = {0: 1.0}
    for number in itertools.count():
        chance = float(prior.numbers.chance(number))
        if number > len(prior.numbers.chances) and chance < 1e-12:
            break
        further: defaultdict[int, float] = defaultdict(float)
        for total, one in after.items():
            chances[total] += chance * one
            for worth, share in plays:
                further[total + worth] += one * share
        after = further
    beyond = sum(one for total, one in chances.items() if total >= least) * (1 - WITHIN)
    above, highest = 0.0, max(least, *chances)
    while highest > least and above + chances.get(highest, 0.0) <= beyond:
        above += chances.get(highest, 0.0)
        highest -= 1
    return highest


def possible(
    scheme: Scheme, readings: Sequence[ScoreReading], sides: Sequence[str]
) -> list[list[Totals]]:
    """What each reading may mean, reading by reading, whatever the others say.

    A total that is not stated is between those stated before and after it; where none is stated
    after it, it is open upwards.
    """
    highest = {one.side: one.high for one in open_totals(scheme, readings, sides)}
    return [_meanings(readings, index, sides, highest) for index in range(len(readings))]


def _meanings(
    readings: Sequence[ScoreReading], at: int, sides: Sequence[str], highest: Mapping[str, int]
) -> list[Totals]:
    score_reading = readings[at]
    if score_reading.either:
        return sorted(set(itertools.permutations(score_reading.either)), reverse=True)
    ranges = [_range(readings, at, name, highest) for name in sides]
    return list(itertools.product(*ranges))


def _range(
    readings: Sequence[ScoreReading], at: int, side: str, highest: Mapping[str, int]
) -> Sequence[int]:
    if side in readings[at].scores:
        return (readings[at].scores[side],)
    low = max(
        (min(_said(reading, side)) for reading in readings[:at] if _said(reading, side)), default=0
    )
    later = [max(_said(reading, side)) for reading in readings[at + 1 :] if _said(reading, side)]
    return range(low, (min(later) if later else highest[side]) + 1)


def _said(reading: ScoreReading, side: str) -> tuple[int, ...]:
    if side in reading.scores:
        return (reading.scores[side],)
    return reading.either


def rising(meanings: Sequence[Sequence[Totals]]) -> Iterator[tuple[Totals, ...]]:
    """The histories in which no side's total ever falls."""
    histories: list[tuple[Totals, ...]] = [()]
    for several in meanings:
        histories = [
            (*before, now)
            for before in histories
            for now in several
            if not before or all(a <= b for a, b in zip(before[-1], now, strict=True))
        ]
        if len(histories) > MOST_HISTORIES:
            raise UsageError("the scores leave too much open: name more of the sides' totals")
    yield from histories


Plays = tuple[int, ...]
"""How many of each play."""

HIGHEST = 10_000
MOST = 250_000
"""Ways beyond which a total is refused: their number grows with a power of the total."""


def ways(total: int, worths: tuple[int, ...]) -> tuple[Plays, ...]:
    """The counts of plays that sum to a total, the first play as often as can be first."""
    if total > HIGHEST:
        raise UsageError(f"{total} is beyond {HIGHEST:,}, the highest total that is decomposed")
    if number_of_ways(total, worths) > MOST:
        raise UsageError(f"{total} has more than {MOST:,} decompositions")
    return _ways(total, worths)


@lru_cache(maxsize=1024)
def _ways(total: int, worths: tuple[int, ...]) -> tuple[Plays, ...]:
    return tuple(_each(total, worths))


def _each(total: int, worths: Sequence[int]) -> Iterator[Plays]:
    if not worths:
        if total == 0:
            yield ()
        return
    first, rest = worths[0], worths[1:]
    for count in range(total // first, -1, -1):
        for others in _each(total - count * first, rest):
            yield (count, *others)


@lru_cache(maxsize=1024)
def number_of_ways(total: int, worths: tuple[int, ...]) -> int:
    """How many there are, without making them."""
    found = [1] + [0] * total
    for worth in worths:
        for index in range(worth, total + 1):
            found[index] += found[index - worth]
    return found[total]


def orders(plays: Sequence[int]) -> int:
    """In how many orders so many of each play can come."""
    found = math.factorial(sum(plays))
    for count in plays:
        found //= math.factorial(count)
    return found


# From score to score: in how many orders plays lead through all the readings.


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
    for index, one in enumerate(scheme.plays):
        if one.quantity != leader or one.follower is None:
            continue
        worth = scheme.quantities[one.follower].worth
        if worth > gained[side]:
            continue
        changed = _changed(state.plays, side, {play: -1, index: 1})
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
    worths = tuple(play.worth for play in scheme.plays)
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
    for index, count in enumerate(flat):
        side, number = divmod(index, len(scheme.plays))
        play = scheme.plays[number]
        if count and (last is None or (play.follower or play.quantity) in last):
            open_ = number in scheme.unfollowed and not settled
            ended[Open(side, number) if open_ else None] += every * count // total
    return ended


def _changed(plays: tuple[Plays, ...], side: int, by: dict[int, int]) -> tuple[Plays, ...]:
    own = tuple(count + by.get(index, 0) for index, count in enumerate(plays[side]))
    return (*plays[:side], own, *plays[side + 1 :])


# How likely each way of coming to some scores is, up to what all the ways share.


Key = tuple[tuple[int, ...], ...]
"""How often each quantity occurred, side by side."""


def weigh(
    scheme: Scheme,
    readings: Sequence[ScoreReading],
    names: Sequence[str],
    known: Sequence[str | CountFact],
    *,
    final: bool,
) -> Iterator[tuple[tuple[Totals, ...], Key, Fraction]]:
    """What the scores may mean, with which counts, and its weight; a pair may come repeatedly."""
    facts = [
        read_fact(count_fact, scheme.quantities, names)
        if isinstance(count_fact, str)
        else count_fact
        for count_fact in known
    ]
    lasts = [None if reading.last is None else scheme.named(reading.last) for reading in readings]
    before = len(readings) - 1 if final else None
    settled = [reading.settled for reading in readings]
    settled[-1] = settled[-1] or final

    @cache  # The same plays of a side recur with all those of the others.
    def played(plays: Plays) -> _Played:
        counts, chance = scheme.counts(plays), ONE
        for play, count in zip(scheme.plays, plays, strict=True):
            chance *= scheme.prior.play(play.quantity, play.follower) ** count
        key = tuple(counts.values())
        return _Played(counts, key, scheme.allows(counts), sum(plays), chance)

    for history in rising(possible(scheme, readings, names)):
        moments = list(map(Moment, history, lasts, settled))
        for state, number in paths(scheme, moments).items():
            each = list(map(played, state.plays))
            if not all(played.allowed for played in each):
                continue
            if facts:
                by_side = dict(zip(names, (played.counts for played in each), strict=True))
                if not all(fact.holds(by_side) for fact in facts):
                    continue
            weight = number * _weight(scheme, state, each, before=before)
            yield history, tuple(played.key for played in each), weight


@dataclass(frozen=True, slots=True)
class _Played:
    """One side's plays: their counts, whether the domain allows them, the chance of an order."""

    counts: Mapping[str, int]
    key: tuple[int, ...]
    allowed: bool
    number: int
    chance: Fraction


def _weight(
    scheme: Scheme, state: State, sides: Sequence[_Played], *, before: int | None
) -> Fraction:
    """How likely one order of the state's plays is, up to what all orders share.

    ``before`` is how many scores were read before that of the finished whole: where they fall among
    the plays is open, so that every arrangement of both is alike. None is a whole that goes on.
    """
    prior = scheme.prior
    numbers = [side.number for side in sides]
    weight = math.prod((side.chance for side in sides), start=ONE)
    if before is None:
        if state.open is not None:  # what follows is not yet decided
            weight /= prior.follows(scheme.plays[state.open.play].quantity, None)
        return weight / Fraction(len(numbers) ** sum(numbers))
    weight *= math.prod((prior.numbers.chance(number) for number in numbers), start=ONE)
    return weight / (orders(numbers) * math.comb(sum(numbers) + before, before))
