"""How likely plays are: how many a finished whole has, what each is, and what follows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from readmark.core.errors import DataError

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The chances of 0, 1, 2, ... plays; beyond the last, each is ``tail`` times the one before."""

    chances: tuple[Fraction, ...]
    tail: Fraction

    def chance(self, number: int) -> Fraction:
        """The chance of exactly so many plays."""
        last = len(self.chances) - 1
        return self.chances[min(number, last)] * self.tail ** max(0, number - last)


@dataclass(frozen=True, slots=True)
class Prior:
    """A side's number of plays when all is over, and what each play is, one like the other.

    ``shares`` are those of what follows nothing; ``following`` says how likely each thing is to
    follow it, and the rest is that nothing does.
    """

    numbers: Numbers
    shares: Mapping[str, Fraction]
    following: Mapping[str, Mapping[str, Fraction]]

    def follows(self, leader: str, follower: str | None) -> Fraction:
        """The chance that this, or with None nothing, follows."""
        chances = self.following.get(leader, {})
        return 1 - sum(chances.values(), ZERO) if follower is None else chances[follower]

    def play(self, leader: str, follower: str | None) -> Fraction:
        """The chance that a play is this one."""
        return self.shares[leader] * self.follows(leader, follower)


def read_prior(table: Any, leading: Mapping[str, Sequence[str]], file: object = None) -> Prior:
    """A prior from the table ``prior`` of a scheme's file.

    ``leading`` has the quantities that follow none, each with those that may follow it.
    """
    table = table if isinstance(table, dict) else {}
    numbers = _numbers(table.get("plays", {}), file)
    shares = _chances(table.get("shares", {}), leading, "prior.shares", file)
    total = sum(shares.values(), ZERO)
    followers_table = table.get("following", {})
    following = {}
    for name, followers in leading.items():
        if followers:
            where = f"prior.following.{name}"
            chances = _chances(followers_table.get(name, {}), followers, where, file)
            if sum(chances.values()) >= 1:
                raise DataError(f"{where} sums to 1 or more", file=file)
            following[name] = chances
    return Prior(numbers, {name: share / total for name, share in shares.items()}, following)


def _numbers(table: Any, file: object) -> Numbers:
    chances = tuple(map(Fraction, table.get("chances", ())))
    tail = Fraction(table.get("tail", 0))
    if len(chances) < 2 or any(not 0 < chance < 1 for chance in chances) or not 0 < tail < 1:
        raise DataError(
            "prior.plays has chances, two or more above 0, and a tail between 0 and 1", file=file
        )
    return Numbers(chances, tail)


def _chances(
    table: Mapping[str, Decimal | int],
    names: Sequence[str] | Mapping[str, Any],
    where: str,
    file: object,
) -> dict[str, Fraction]:
    if set(table) != set(names):
        raise DataError(f"{where} has a chance each for {', '.join(names)}", file=file)
    chances = {name: Fraction(table[name]) for name in names}
    if any(not 0 < chance < 1 for chance in chances.values()):
        raise DataError(f"{where}: a chance is between 0 and 1", file=file)
    return chances
