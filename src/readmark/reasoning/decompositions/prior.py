"""How often quantities occur: how many plays a whole has, what each is, and what follows it.

All chances are exact fractions, so that those of the combinations sum to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from readmark.corpus.errors import DataError

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The chances of 0, 1, 2, ... plays; beyond the last, each is ``tail`` times the one before."""

    chances: tuple[Fraction, ...]
    tail: Fraction

    def chance(self, number: int) -> Fraction:
        """Of exactly so many."""
        last = len(self.chances) - 1
        return self.chances[min(number, last)] * self.tail ** max(0, number - last)


@dataclass(frozen=True, slots=True)
class Prior:
    """A side's number of plays when all is over, and what each play is, one like the other.

    ``shares`` are those of what stands by itself; ``following`` says how likely each thing is to
    follow it, and the rest is that nothing does.
    """

    numbers: Numbers
    shares: Mapping[str, Fraction]
    following: Mapping[str, Mapping[str, Fraction]]

    def follows(self, leader: str, follower: str | None) -> Fraction:
        """The chance that this, or with None nothing, follows."""
        said = self.following.get(leader, {})
        return 1 - sum(said.values(), ZERO) if follower is None else said[follower]

    def play(self, leader: str, follower: str | None) -> Fraction:
        """The chance that a play is this one."""
        return self.shares[leader] * self.follows(leader, follower)


def read_prior(said: Any, leading: Mapping[str, Sequence[str]], file: object = None) -> Prior:
    """A prior for quantities that stand by themselves, each with what may follow it."""
    said = said if isinstance(said, dict) else {}
    numbers = _numbers(said.get("plays", {}), file)
    shares = _table(said.get("shares", {}), leading, "prior.shares", file)
    total = sum(shares.values(), ZERO)
    after = said.get("following", {})
    following = {}
    for name, followers in leading.items():
        if followers:
            chances = _table(after.get(name, {}), followers, f"prior.following.{name}", file)
            if sum(chances.values()) >= 1:
                raise DataError(f"prior.following.{name} sums to 1 or more", file=file)
            following[name] = chances
    return Prior(numbers, {name: one / total for name, one in shares.items()}, following)


def _numbers(said: Any, file: object) -> Numbers:
    chances = tuple(map(Fraction, said.get("chances", ())))
    tail = Fraction(said.get("tail", 0))
    if len(chances) < 2 or any(not 0 < one < 1 for one in chances) or not 0 < tail < 1:
        raise DataError(
            "prior.plays has chances, two or more above 0, and a tail between 0 and 1", file=file
        )
    return Numbers(chances, tail)


def _table(
    said: Mapping[str, Decimal | int],
    names: Sequence[str] | Mapping[str, Any],
    where: str,
    file: object,
) -> dict[str, Fraction]:
    chances = {name: Fraction(said[name]) for name in names if name in said}
    if set(chances) != set(said) or set(chances) != set(names):
        raise DataError(f"{where} has a chance each for {', '.join(names)}", file=file)
    if any(not 0 < one < 1 for one in chances.values()):
        raise DataError(f"{where}: a chance lies between 0 and 1", file=file)
    return chances
