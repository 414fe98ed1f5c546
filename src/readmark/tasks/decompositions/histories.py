"""What scores may mean: every side's total at each of them, where no total ever falls."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.open_totals import open_totals
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.score_readings import ScoreReading

Totals = tuple[int, ...]
"""Every side's total, in the order of the sides."""
History = tuple[Totals, ...]
"""The totals at each reading."""

_MOST_HISTORIES = 20_000
"""Histories beyond which scores are refused as leaving too much open."""


def histories(
    scheme: Scheme, readings: Sequence[ScoreReading], sides: Sequence[str]
) -> Iterator[History]:
    """Everything that the readings may mean together.

    A total that is not stated is between those stated before and after it; where none is stated
    after it, it is open upwards.
    """
    highest = {total.side: total.high for total in open_totals(scheme, readings, sides)}
    rising: list[History] = [()]
    for index in range(len(readings)):
        meanings = _meanings(readings, index, sides, highest)
        rising = [
            (*history, totals)
            for history in rising
            for totals in meanings
            if not history or all(a <= b for a, b in zip(history[-1], totals, strict=True))
        ]
        if len(rising) > _MOST_HISTORIES:
            raise UsageError("the scores leave too much open: name more of the sides' totals")
    yield from rising


def _meanings(
    readings: Sequence[ScoreReading], index: int, sides: Sequence[str], highest: Mapping[str, int]
) -> list[Totals]:
    """What a reading may mean, whatever the others make of it."""
    reading = readings[index]
    if reading.either:
        return sorted(set(itertools.permutations(reading.either)), reverse=True)
    ranges = [_range(readings, index, side, highest) for side in sides]
    return list(itertools.product(*ranges))


def _range(
    readings: Sequence[ScoreReading], index: int, side: str, highest: Mapping[str, int]
) -> Sequence[int]:
    """The totals that a side may have at a reading."""
    if side in readings[index].scores:
        return (readings[index].scores[side],)
    earlier = [totals for reading in readings[:index] if (totals := reading.totals_of(side))]
    later = [totals for reading in readings[index + 1 :] if (totals := reading.totals_of(side))]
    low = max(map(min, earlier), default=0)
    high = min(map(max, later)) if later else highest[side]
    return range(low, high + 1)
