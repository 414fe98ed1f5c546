"""Additive quantities as a domain declares them: what each is worth and what it follows."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean

# Linear facts about counts, written as ``field_goal >= 2`` or ``kick + try <= touchdown``.


Counts = Mapping[str, int]
"""How often each quantity occurs on one side."""

_RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_RELATION = re.compile(r"<=|>=|==|!=|<|>|=")
_TERM = re.compile(
    r"(?P<times>\d+)(?:\s*\*?\s*(?P<after>[^\W\d].*))?|(?P<name>[^\W\d].*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Term:
    """So many times a quantity of a side, of all sides together, or of nothing but 1."""

    times: int
    quantity: str | None = None
    side: str | None = None

    def value(self, counts: Mapping[str, Counts]) -> int:
        """What it comes to."""
        if self.quantity is None:
            return self.times
        sides = counts.values() if self.side is None else (counts[self.side],)
        return self.times * sum(side.get(self.quantity, 0) for side in sides)


@dataclass(frozen=True, slots=True)
class CountFact:
    """A relation between two sums of counts."""

    text: str
    left: tuple[Term, ...]
    relation: str
    right: tuple[Term, ...]

    def holds(self, counts: Mapping[str, Counts]) -> bool:
        """Whether these counts, by side, fulfil it."""
        left, right = (
            sum(term.value(counts) for term in terms) for terms in (self.left, self.right)
        )
        return _RELATIONS[self.relation](left, right)


def read_fact(text: str, quantities: Collection[str], sides: Collection[str] = ()) -> CountFact:
    """A fact from its text; ``Jets.safety`` is one side's, a bare name that of all sides."""
    found = _RELATION.findall(text)
    if len(found) != 1:
        raise UsageError(f"{text!r} is no fact about counts: it has one of <= >= == != < >")
    left, right = (_sum(part, text, quantities, sides) for part in _RELATION.split(text))
    return CountFact(text, left, found[0], right)


def _sum(
    part: str, whole: str, quantities: Collection[str], sides: Collection[str]
) -> tuple[Term, ...]:
    return tuple(_term(one.strip(), whole, quantities, sides) for one in part.split("+"))


def _term(text: str, whole: str, quantities: Collection[str], sides: Collection[str]) -> Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise UsageError(f"{whole!r} is no fact about counts: {text!r} is no count")
    times = int(match["times"] or 1)
    name = match["after"] or match["name"]
    if name is None:
        return Term(times)
    side, dot, quantity = name.strip().rpartition(".")
    if quantity not in quantities:
        raise UsageError(
            f"{whole!r}: no quantity {quantity!r}; {did_you_mean(quantity, quantities)}"
        )
    if dot and side not in sides:
        raise UsageError(f"{whole!r}: no side {side!r}; {did_you_mean(side, sides)}")
    return Term(times, quantity, side if dot else None)


# How often quantities occur: how many plays a whole has, what each is, and what follows it.


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

    ``shares`` are those of what follows nothing; ``following`` says how likely each thing is to
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
    """A prior for quantities that follow none, each with what may follow it."""
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
    if len(chances) < 2 or any(not 0 < chance < 1 for chance in chances) or not 0 < tail < 1:
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
    if any(not 0 < chance < 1 for chance in chances.values()):
        raise DataError(f"{where}: a chance is between 0 and 1", file=file)
    return chances


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that adds to a total each time it occurs.

    One that ``follows`` another comes right after one of those, of which each is followed once at
    most. ``kinds`` are words that a text may use for several quantities.
    """

    name: str
    worth: int
    follows: str | None = None
    kinds: tuple[str, ...] = ()
    property: str | None = None
    one: str = ""
    many: str = ""


@dataclass(frozen=True, slots=True)
class Play:
    """What occurs as one: a quantity with what follows it, if anything does."""

    quantity: str
    follower: str | None
    worth: int


@dataclass(frozen=True)
class Scheme:
    """The quantities of a domain, what holds between their counts, and how often they occur."""

    quantities: Mapping[str, Quantity]
    facts: tuple[CountFact, ...]
    prior: Prior
    total: str | None = None
    """The property that holds the total."""

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """Every quantity that follows none, alone and with each that follows it."""
        return tuple(self._plays())

    @cached_property
    def unfollowed(self) -> frozenset[int]:
        """The plays, by number, after which something may have followed and did not."""
        return frozenset(
            index
            for index, play in enumerate(self.plays)
            if play.follower is None and self.followers(play.quantity)
        )

    def _plays(self) -> Iterator[Play]:
        for quantity in self.quantities.values():
            if quantity.follows is None:
                yield Play(quantity.name, None, quantity.worth)
                for after in self.followers(quantity.name):
                    yield Play(quantity.name, after.name, quantity.worth + after.worth)

    def followers(self, name: str) -> list[Quantity]:
        """What may follow a quantity."""
        return [quantity for quantity in self.quantities.values() if quantity.follows == name]

    def named(self, word: str) -> frozenset[str]:
        """The quantities that a word stands for: one by its name, or those of a kind."""
        found = {
            quantity.name
            for quantity in self.quantities.values()
            if word == quantity.name or word in quantity.kinds
        }
        if not found:
            words = {kind for quantity in self.quantities.values() for kind in quantity.kinds}
            known = sorted({*self.quantities, *words})
            raise UsageError(f"nothing is called {word!r}; {did_you_mean(word, known)}")
        return frozenset(found)

    def counts(self, plays: tuple[int, ...]) -> dict[str, int]:
        """How often each quantity occurs in so many of each play."""
        found = dict.fromkeys(self.quantities, 0)
        for play, count in zip(self.plays, plays, strict=True):
            found[play.quantity] += count
            if play.follower is not None:
                found[play.follower] += count
        return found

    def words(self, counts: Mapping[str, int]) -> str:
        """``1 touchdown, 2 field goals``; nothing is ``none``."""
        words = []
        for name, count in counts.items():
            quantity = self.quantities[name]
            noun = (quantity.one if count == 1 else quantity.many) or name
            words += [f"{count} {noun}"] if count else []
        return ", ".join(words) or "none"

    def allows(self, counts: Mapping[str, int]) -> bool:
        """Whether what the domain says of counts holds."""
        return all(fact.holds({"": counts}) for fact in self.facts)


def read_scheme(text: str, file: object = None) -> Scheme:
    """The scheme that a TOML file declares; its numbers are taken exactly."""
    try:
        whole = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as wrong:
        raise DataError(str(wrong), file=file) from None
    except RecursionError:
        raise DataError("nested too deep", file=file) from None
    said = whole.get("quantity")
    if not isinstance(said, dict) or not said:
        raise DataError("declares no quantities: a table [quantity.NAME] each", file=file)
    quantities = {name: _quantity(name, one, file) for name, one in said.items()}
    _check_following(quantities, file)
    try:
        facts = tuple(read_fact(one, quantities) for one in whole.get("facts", ()))
    except UsageError as wrong:
        raise DataError(str(wrong), file=file) from None
    leading = {
        name: [quantity.name for quantity in quantities.values() if quantity.follows == name]
        for name, quantity in quantities.items()
        if quantity.follows is None
    }
    prior = read_prior(whole.get("prior", {}), leading, file)
    return Scheme(quantities, facts, prior, whole.get("total"))


def _quantity(name: str, said: Any, file: object) -> Quantity:
    known = {"worth", "follows", "kinds", "property", "one", "many"}
    if not isinstance(said, dict) or set(said) - known:
        raise DataError(f"quantity.{name} holds {', '.join(sorted(known))}", file=file)
    worth = said.get("worth")
    if not isinstance(worth, int) or isinstance(worth, bool) or worth < 1:
        raise DataError(f"quantity.{name}.worth is {worth!r}, not a whole number from 1", file=file)
    return Quantity(
        name,
        worth,
        said.get("follows"),
        tuple(said.get("kinds", ())),
        said.get("property"),
        said.get("one", ""),
        said.get("many", ""),
    )


def _check_following(quantities: Mapping[str, Quantity], file: object) -> None:
    for quantity in quantities.values():
        if quantity.follows is None:
            continue
        leader = quantities.get(quantity.follows)
        if leader is None or leader.follows is not None:
            raise DataError(
                f"quantity.{quantity.name} follows {quantity.follows!r}, which does not "
                "exist or follows another quantity itself",
                file=file,
            )
