"""Linear facts about counts, written as ``field_goal >= 2`` or ``kick + try <= touchdown``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from readmark.core.errors import UsageError, did_you_mean

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
        left = sum(term.value(counts) for term in self.left)
        right = sum(term.value(counts) for term in self.right)
        return _RELATIONS[self.relation](left, right)


def read_fact(text: str, quantities: Collection[str], sides: Collection[str] = ()) -> CountFact:
    """A fact from its text; ``Jets.safety`` is one side's, a bare name that of all sides."""
    relations = _RELATION.findall(text)
    if len(relations) != 1:
        raise UsageError(f"{text!r} is not a fact about counts: it needs one of <= >= == != < >")
    left, right = (
        tuple(_term(term.strip(), text, quantities, sides) for term in part.split("+"))
        for part in _RELATION.split(text)
    )
    return CountFact(text, left, relations[0], right)


def _term(text: str, fact: str, quantities: Collection[str], sides: Collection[str]) -> Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise UsageError(f"{fact!r} is not a fact about counts: {text!r} is not a count")
    times = int(match["times"] or 1)
    name = match["after"] or match["name"]
    if name is None:
        return Term(times)
    side, dot, quantity = name.strip().rpartition(".")
    if quantity not in quantities:
        hint = did_you_mean(quantity, quantities)
        raise UsageError(f"{fact!r}: no quantity {quantity!r}; {hint}")
    if dot and side not in sides:
        raise UsageError(f"{fact!r}: no side {side!r}; {did_you_mean(side, sides)}")
    return Term(times, quantity, side if dot else None)
