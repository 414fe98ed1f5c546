"""Compiled patterns: types of things, phrases, and the patterns that make marks of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from readmark.core.records import Value

NUMBER, YEAR, DATE, NAME, WORDS = "Number", "Year", "Date", "Name", "Words"
BUILT_IN = (NUMBER, YEAR, DATE, NAME, WORDS)
"""Types that every file has: numbers, years, dates, capitalised names, and any few words."""
USED = "used"
"""What a phrase is rendered as that a pattern has used up."""
TIMES = "times"
"""The slot or value of a phrase that says how many marks it makes."""


class Slot(NamedTuple):
    """A place in an expression that holds a chunk of the text; unnamed ones only have to match."""

    group: str
    name: str
    type: str


@dataclass(frozen=True)
class Expression:
    """A pattern as a regular expression over the rendering of a sentence."""

    regex: re.Pattern[str]
    slots: tuple[Slot, ...]
    repeats: tuple[tuple[str, Expression], ...] = ()
    """Groups of repeated parts, each with the expression of one round."""
    needed: tuple[frozenset[str], ...] = ()
    """Words and types: without one of each set a sentence cannot match."""

    def may_match(self, present: Set[str]) -> bool:
        """Whether a sentence with these words and types could match."""
        return not any(map(present.isdisjoint, self.needed))

    def all_slots(self) -> Iterator[Slot]:
        """Its slots and those of its repeated parts."""
        yield from self.slots
        for _, part in self.repeats:
            yield from part.all_slots()


@dataclass(frozen=True)
class EntityType:
    """A type of thing that texts name: those of a list, or any capitalised name."""

    name: str
    category: str = ""
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    names: bool = False
    never: frozenset[str] = frozenset()
    titles: tuple[Expression, ...] = ()
    tails: tuple[Expression, ...] = ()
    surname: bool = False
    pronouns: frozenset[str] = frozenset()
    member: str = ""
    pair: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of every mark of such a thing."""
    full: str = ""
    """The attribute that a name of several words is the value of."""
    short: bool = False
    """Whether the beginning or the end of a longer name in the document stands for the same."""
    words: int = 0
    """How many words that no list knows may name one, in a slot."""
    ends: tuple[str, ...] = ()
    """What such words end with."""
    first: bool = False
    """Whether a surname of several people is that of the one named first, else of the last."""
    surnames: frozenset[str] = frozenset()
    """What Chinese names begin with."""


@dataclass(frozen=True)
class PhraseRule:
    """Words that become one chunk of a type, with the slots and values in it."""

    type: str
    finds: tuple[Expression, ...]
    values: Mapping[str, Any]
    part: bool = False
    """Whether it is a part of what another phrase makes, and not a mark of its own."""
    again: bool = False
    """Whether several patterns may take it."""


@dataclass(frozen=True)
class SlotReference:
    """A value that is taken from a slot: its chunk, the other one of a pair, or what comes after.

    A scope that is set ``after`` a value is open until it is set again.
    """

    slot: str
    other: bool = False
    after: bool = False
    scope: bool = False
    """Whether it is the scope of this name and no slot."""
    more: tuple[bool, str] | None = None
    """A number, or the slot of one, that is added to a number or a year, or taken from it."""
    against: str = ""
    """The slot of a number: the value is the higher of the two, or the lower."""
    higher: bool = False


@dataclass(frozen=True)
class MarkPattern:
    """Words that make a mark, set scopes, are remembered, are hidden, or only use up phrases."""

    name: str
    finds: tuple[Expression, ...]
    mark: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)
    remember: Mapping[str, str] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    hide: bool = False
    early: bool = False
    """Whether it is looked for before phrases are joined, except those that name entities."""
    about: str = ""
    """The slot of the entity whose marks get the values."""
    amend: str = ""
    """The category of the mark that the values are added to: the one here, else the last one."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Values that the amended mark has."""
    once: bool = False
    """Whether equal marks are made once."""
    check: tuple[str, ...] = ()
    """Slots with the totals of a ledger so far, in any order."""
    final: bool = False
    """Whether those are the totals at the end, wherever the text states them."""
    probability: float | None = None


class ScopeRule(Value, frozen=True):
    """A value that later marks inherit."""

    ordered: bool = False
    """Whether values follow each other: where one is passed over, only its sentence is sure."""
    sentence: bool = False
    """Whether the first of a sentence holds from the sentence's beginning."""
    brief: bool = False
    """Whether it ends with its sentence."""
    first: bool = False
    """Whether the first value holds for the whole document."""
    last: int | None = None
    """The last of values in order: what comes after the one before it."""

    def following(self, value: Any) -> int | None:
        """What comes after a value, where that is sure."""
        is_sure = self.last is not None and value == self.last - 1
        return self.last if is_sure else None


class Chain(Value, frozen=True):
    """Marks of a category that follow each other, apart for each value of ``by``."""

    by: str
    after: str = ""
    first: str = ""
    last: str = ""


class Ledger(Value, frozen=True):
    """What marks of a category add to the total of each owner, to be held to totals in the text."""

    by: str
    kind: str
    """The attribute that says what a mark is."""
    worth: dict[str, tuple[int, ...]]
    """What each kind may be worth, the likeliest first."""
    told: str = ""
    """An attribute that says it exactly, where the text does."""
    exact: dict[str, int] = {}
    total: str = ""
    """The category of marks with the totals, made where marks do not add up to what is stated."""
    amount: str = ""
    """Its attribute."""
    probability: float | None = None
    ahead: str = ""
    """The relation, such as ``Result.winner``, that says who has the higher total at the end."""
    behind: str = ""
    """The relation that says who has the lower one."""
    whole: str = ""
    """The category of marks that say that all is told: dropped where totals at the end say more."""

    def points(self, values: Mapping[str, Any]) -> tuple[int, ...]:
        """What a mark with these values may be worth, the likeliest first."""
        exactly = str(values.get(self.told))
        if exactly in self.exact:
            return (self.exact[exactly],)
        return self.worth.get(str(values.get(self.kind)), (0,))


@dataclass(frozen=True)
class PatternSet:
    """All of a ``patterns.toml``, compiled."""

    types: Mapping[str, EntityType]
    phrases: tuple[PhraseRule, ...]
    patterns: tuple[MarkPattern, ...]
    scopes: Mapping[str, ScopeRule]
    chains: Mapping[str, Chain]
    ledgers: Mapping[str, Ledger] = field(default_factory=dict)
    file: str = ""

    @property
    def hiding(self) -> tuple[MarkPattern, ...]:
        """The patterns of what is left out, such as another event than the text is about."""
        return tuple(pattern for pattern in self.patterns if pattern.hide)
