"""Additive quantities as a domain declares them: what each is worth and what it follows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.reasoning.decompositions.facts import Fact, read_fact
from readmark.reasoning.decompositions.prior import Prior, read_prior


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

    def told(self, count: int) -> str:
        """``2 field goals``."""
        return f"{count} {(self.one if count == 1 else self.many) or self.name}"


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
    facts: tuple[Fact, ...]
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
            at
            for at, play in enumerate(self.plays)
            if play.follower is None and self.followers(play.quantity)
        )

    def _plays(self) -> Iterator[Play]:
        for one in self.quantities.values():
            if one.follows is None:
                yield Play(one.name, None, one.worth)
                for after in self.followers(one.name):
                    yield Play(one.name, after.name, one.worth + after.worth)

    def followers(self, name: str) -> list[Quantity]:
        """What may follow a quantity."""
        return [one for one in self.quantities.values() if one.follows == name]

    def named(self, word: str) -> frozenset[str]:
        """The quantities that a word stands for: one by its name, or those of a kind."""
        found = {
            one.name for one in self.quantities.values() if word == one.name or word in one.kinds
        }
        if not found:
            words = {kind for one in self.quantities.values() for kind in one.kinds}
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

    def allows(self, counts: Mapping[str, int]) -> bool:
        """Whether what the domain says of counts holds."""
        return all(fact.holds({"": counts}) for fact in self.facts)


def read_scheme(text: str, file: object = None) -> Scheme:
    """The scheme that a TOML file declares; its numbers are taken exactly."""
    try:
        whole = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as wrong:
        raise DataError(str(wrong), file=file) from None
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
        name: [one.name for one in quantities.values() if one.follows == name]
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
    for one in quantities.values():
        if one.follows is None:
            continue
        leader = quantities.get(one.follows)
        if leader is None or leader.follows is not None:
            raise DataError(
                f"quantity.{one.name} follows {one.follows!r}, which is no quantity that stands "
                "by itself",
                file=file,
            )
