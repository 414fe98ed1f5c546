"""Additive quantities as a domain declares them: what each is worth and what it follows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.tasks.decompositions.count_facts import CountFact, read_fact
from readmark.tasks.decompositions.prior import Prior, read_prior


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
    """What one of it is called; ``many`` is the plural."""
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

    def _plays(self) -> Iterator[Play]:
        for quantity in self.quantities.values():
            if quantity.follows is None:
                yield Play(quantity.name, None, quantity.worth)
                for follower in self.followers(quantity.name):
                    yield Play(quantity.name, follower.name, quantity.worth + follower.worth)

    @cached_property
    def unfollowed(self) -> frozenset[int]:
        """The plays, by number, after which something may have followed and did not."""
        return frozenset(
            index
            for index, play in enumerate(self.plays)
            if play.follower is None and self.followers(play.quantity)
        )

    def followers(self, name: str) -> list[Quantity]:
        """What may follow a quantity."""
        return [quantity for quantity in self.quantities.values() if quantity.follows == name]

    def named(self, word: str) -> frozenset[str]:
        """The quantities that a word stands for: one by its name, or those of a kind."""
        names = {
            quantity.name
            for quantity in self.quantities.values()
            if word == quantity.name or word in quantity.kinds
        }
        if not names:
            kinds = {kind for quantity in self.quantities.values() for kind in quantity.kinds}
            hint = did_you_mean(word, sorted({*self.quantities, *kinds}))
            raise UsageError(f"nothing is called {word!r}; {hint}")
        return frozenset(names)

    def counts(self, plays: tuple[int, ...]) -> dict[str, int]:
        """How often each quantity occurs in so many of each play."""
        counts = dict.fromkeys(self.quantities, 0)
        for play, count in zip(self.plays, plays, strict=True):
            counts[play.quantity] += count
            if play.follower is not None:
                counts[play.follower] += count
        return counts

    def words(self, counts: Mapping[str, int]) -> str:
        """``1 touchdown, 2 field goals``; nothing is ``none``."""
        words = []
        for name, count in counts.items():
            if count:
                quantity = self.quantities[name]
                noun = (quantity.one if count == 1 else quantity.many) or name
                words.append(f"{count} {noun}")
        return ", ".join(words) or "none"

    def allows(self, counts: Mapping[str, int]) -> bool:
        """Whether what the domain says of counts holds."""
        return all(fact.holds({"": counts}) for fact in self.facts)


def read_scheme(text: str, file: object = None) -> Scheme:
    """The scheme that a TOML file declares; its numbers are taken exactly."""
    try:
        tables = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise DataError(str(error), file=file) from None
    except RecursionError:
        raise DataError("nested too deep", file=file) from None
    declared = tables.get("quantity")
    if not isinstance(declared, dict) or not declared:
        raise DataError("declares no quantities: a table [quantity.NAME] each", file=file)
    quantities = {name: _quantity(name, table, file) for name, table in declared.items()}
    for quantity in quantities.values():
        _check_leader(quantity, quantities, file)
    try:
        facts = tuple(read_fact(fact, quantities) for fact in tables.get("facts", ()))
    except UsageError as error:
        raise DataError(str(error), file=file) from None
    leading = {
        name: [quantity.name for quantity in quantities.values() if quantity.follows == name]
        for name, quantity in quantities.items()
        if quantity.follows is None
    }
    prior = read_prior(tables.get("prior", {}), leading, file)
    return Scheme(quantities, facts, prior, tables.get("total"))


def _quantity(name: str, table: Any, file: object) -> Quantity:
    members = {"worth", "follows", "kinds", "property", "one", "many"}
    if not isinstance(table, dict) or set(table) - members:
        raise DataError(f"quantity.{name} holds {', '.join(sorted(members))}", file=file)
    worth = table.get("worth")
    if not isinstance(worth, int) or isinstance(worth, bool) or worth < 1:
        raise DataError(f"quantity.{name}.worth is {worth!r}, not a whole number from 1", file=file)
    return Quantity(
        name,
        worth,
        table.get("follows"),
        tuple(table.get("kinds", ())),
        table.get("property"),
        table.get("one", ""),
        table.get("many", ""),
    )


def _check_leader(quantity: Quantity, quantities: Mapping[str, Quantity], file: object) -> None:
    if quantity.follows is None:
        return
    leader = quantities.get(quantity.follows)
    if leader is None or leader.follows is not None:
        message = (
            f"quantity.{quantity.name} follows {quantity.follows!r}, which does not exist or "
            "follows another quantity itself"
        )
        raise DataError(message, file=file)
