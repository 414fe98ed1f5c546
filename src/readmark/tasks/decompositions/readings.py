"""Scores as a text tells them: whose they are may be open, and so may what came last."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.errors import UsageError

Totals = tuple[int, ...]
"""Every side's total, in the order of the sides."""

MOST = 20_000
"""Histories beyond which scores are refused as leaving too much open."""


@dataclass(frozen=True)
class Reading:
    """A score at some moment: totals by side, or totals of which one does not know whose they are.

    ``last`` names what made it this score: a quantity, or a kind of quantities. A ``settled`` score
    is one at a break, when nothing can any more follow what came last.
    """

    scores: Mapping[str, int] = field(default_factory=dict)
    either: tuple[int, ...] = ()
    last: str | None = None
    settled: bool = False


def sides_of(readings: Sequence[Reading], sides: Sequence[str] = ()) -> tuple[str, ...]:
    """The sides that are given, else those that the readings name, in their order."""
    named = dict.fromkeys(name for one in readings for name in one.scores)
    found = tuple(sides) or tuple(named)
    if strangers := [name for name in named if name not in found]:
        raise UsageError(f"{strangers[0]!r} is none of the sides {', '.join(found)}")
    for one in readings:
        if any(total < 0 for total in (*one.scores.values(), *one.either)):
            raise UsageError("a total is not less than 0")
        if one.either and (one.scores or len(one.either) != len(found)):
            told = " to ".join(map(str, one.either))
            raise UsageError(f"{told} is a total a side, of {len(found)} sides, and nothing else")
    if not found:
        raise UsageError("no side is named")
    return found


def possible(readings: Sequence[Reading], sides: Sequence[str]) -> list[list[Totals]]:
    """What each reading may mean, reading by reading, whatever the others say.

    A total that is not told lies between those told before and after it; where none is told after
    it, the side is taken to stand where it stood.
    """
    return [_meanings(readings, at, sides) for at in range(len(readings))]


def _meanings(readings: Sequence[Reading], at: int, sides: Sequence[str]) -> list[Totals]:
    one = readings[at]
    if one.either:
        return sorted(set(itertools.permutations(one.either)), reverse=True)
    ranges = [_range(readings, at, name) for name in sides]
    return list(itertools.product(*ranges))


def _range(readings: Sequence[Reading], at: int, side: str) -> Sequence[int]:
    if side in readings[at].scores:
        return (readings[at].scores[side],)
    low = max((min(_said(one, side)) for one in readings[:at] if _said(one, side)), default=0)
    later = [max(_said(one, side)) for one in readings[at + 1 :] if _said(one, side)]
    if later:
        return range(low, min(later) + 1)
    before = [max(_said(one, side)) for one in readings[:at] if _said(one, side)]
    return range(low, max(before, default=low) + 1)


def _said(reading: Reading, side: str) -> tuple[int, ...]:
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
        if len(histories) > MOST:
            raise UsageError("the scores leave too much open: name more of the sides' totals")
    yield from histories
