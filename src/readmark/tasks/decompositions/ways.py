"""Every way in which plays make a total, and in how many orders each can come."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from readmark.core.errors import UsageError

Plays = tuple[int, ...]
"""How many of each play."""

_HIGHEST = 10_000
MOST_WAYS = 250_000
"""Ways beyond which a total is refused: their number grows with a power of the total."""


def ways(total: int, worths: tuple[int, ...]) -> tuple[Plays, ...]:
    """The counts of plays that sum to a total, the first play as often as can be first."""
    if total > _HIGHEST:
        raise UsageError(f"{total} is beyond {_HIGHEST:,}, the highest total that is decomposed")
    if number_of_ways(total, worths) > MOST_WAYS:
        raise UsageError(f"{total} has more than {MOST_WAYS:,} decompositions")
    return _ways(total, worths)


@lru_cache(maxsize=1024)
def _ways(total: int, worths: tuple[int, ...]) -> tuple[Plays, ...]:
    return tuple(_each_way(total, worths))


def _each_way(total: int, worths: Sequence[int]) -> Iterator[Plays]:
    if not worths:
        if total == 0:
            yield ()
        return
    first, rest = worths[0], worths[1:]
    for count in range(total // first, -1, -1):
        for others in _each_way(total - count * first, rest):
            yield (count, *others)


@lru_cache(maxsize=1024)
def number_of_ways(total: int, worths: tuple[int, ...]) -> int:
    """How many ways there are, without making them."""
    numbers = [1] + [0] * total
    for worth in worths:
        for index in range(worth, total + 1):
            numbers[index] += numbers[index - worth]
    return numbers[total]


def orders(plays: Sequence[int]) -> int:
    """In how many orders so many of each play can come."""
    number = math.factorial(sum(plays))
    for count in plays:
        number //= math.factorial(count)
    return number
