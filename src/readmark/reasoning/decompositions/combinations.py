"""Every way in which plays make a total, and in how many orders each can come."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from readmark.corpus.errors import UsageError

Plays = tuple[int, ...]
"""How many of each play."""

HIGHEST = 10_000
MOST = 250_000
"""Ways beyond which a total is refused: their number grows with a power of the total."""


def ways(total: int, worths: tuple[int, ...]) -> tuple[Plays, ...]:
    """The counts of plays that sum to a total, the first play as often as can be first."""
    if total > HIGHEST:
        raise UsageError(f"{total} is beyond {HIGHEST:,}, the highest total that is taken apart")
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
        for at in range(worth, total + 1):
            found[at] += found[at - worth]
    return found[total]


def orders(plays: Sequence[int]) -> int:
    """In how many orders so many of each play can come."""
    found = math.factorial(sum(plays))
    for count in plays:
        found //= math.factorial(count)
    return found
