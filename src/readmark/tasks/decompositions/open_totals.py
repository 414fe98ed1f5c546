"""Totals that no score states from some reading on, and what is considered of them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.score_readings import ScoreReading

WITHIN = 0.999
"""An open total is taken to be among those that so many finished sides stay within."""
_NEGLIGIBLE = 1e-12  # a number of plays less likely than this ends the sum over all numbers


@dataclass(frozen=True, slots=True)
class OpenTotal:
    """A side whose total is open from a reading on, and the totals that are considered."""

    side: str
    reading: int
    low: int
    high: int


def open_totals(
    scheme: Scheme, readings: Sequence[ScoreReading], sides: Sequence[str]
) -> list[OpenTotal]:
    """The sides that the last scores do not state, each from the first such score on.

    No score bounds how much such a side has, only what the prior has sides score: given what it
    had, it stays within the highest total with the chance ``WITHIN``.
    """
    open_sides = []
    for side in sides:
        stated = [index for index, reading in enumerate(readings) if reading.totals_of(side)]
        first = stated[-1] + 1 if stated else 0
        if first < len(readings):
            totals = [readings[index].totals_of(side) for index in stated]
            low = max(map(min, totals), default=0)
            high = highest_total(scheme, max(map(max, totals), default=0))
            open_sides.append(OpenTotal(side, first, low, high))
    # Every further open total multiplies the histories by some fifty.
    if sum(len(readings) - open_side.reading for open_side in open_sides) > 1:
        names = [open_side.side for open_side in open_sides]
        if len(names) > 1:
            raise UsageError(f"the totals of {' and '.join(names)} are open: state one")
        raise UsageError(
            f"the total of {names[0]} is open in several scores: state it in all but the last"
        )
    return open_sides


def highest_total(scheme: Scheme, least: int) -> int:
    """What a side that has so much stays within, by the prior of a finished whole."""
    prior = scheme.prior
    plays = [(play.worth, float(prior.play(play.quantity, play.follower))) for play in scheme.plays]
    chances: defaultdict[int, float] = defaultdict(float)
    after_plays = {0: 1.0}  # total -> chance, after so many plays
    for number in itertools.count():
        chance_of_number = float(prior.numbers.chance(number))
        if number > len(prior.numbers.chances) and chance_of_number < _NEGLIGIBLE:
            break
        after_one_more: defaultdict[int, float] = defaultdict(float)
        for total, chance in after_plays.items():
            chances[total] += chance_of_number * chance
            for worth, share in plays:
                after_one_more[total + worth] += chance * share
        after_plays = after_one_more

    # From the top down, as long as what is cut off is no more than 1 - WITHIN of what is possible.
    most_beyond = sum(chance for total, chance in chances.items() if total >= least) * (1 - WITHIN)
    beyond, highest = 0.0, max(least, *chances)
    while highest > least and beyond + chances.get(highest, 0.0) <= most_beyond:
        beyond += chances.get(highest, 0.0)
        highest -= 1
    return highest
