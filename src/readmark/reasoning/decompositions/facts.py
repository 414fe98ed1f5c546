"""Linear facts about counts, written as ``field_goal >= 2`` or ``kick + try <= touchdown``.

A domain states its constraints so, and a reader whatever the text tells.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from readmark.corpus.errors import UsageError, did_you_mean

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
        return self.times * sum(one.get(self.quantity, 0) for one in sides)


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation between two sums of counts."""

    text: str
    left: tuple[Term, ...]
    relation: str
    right: tuple[Term, ...]

    def holds(self, counts: Mapping[str, Counts]) -> bool:
        """Whether these counts, by side, fulfil it."""
        left, right = (sum(term.value(counts) for term in one) for one in (self.left, self.right))
        return _RELATIONS[self.relation](left, right)


def read_fact(text: str, quantities: Collection[str], sides: Collection[str] = ()) -> Fact:
    """A fact from its text; ``Jets.safety`` is one side's, a bare name that of all sides."""
    found = _RELATION.findall(text)
    if len(found) != 1:
        raise UsageError(f"{text!r} is no fact about counts: it has one of <= >= == != < >")
    left, right = (_sum(part, text, quantities, sides) for part in _RELATION.split(text))
    return Fact(text, left, found[0], right)


def _sum(
    part: str, whole: str, quantities: Collection[str], sides: Collection[str]
) -> tuple[Term, ...]:
    return tuple(_term(one.strip(), whole, quantities, sides) for one in part.split("+"))


def _term(text: str, whole: str, quantities: Collection[str], sides: Collection[str]) -> Term:
    found = _TERM.fullmatch(text)
    if found is None:
        raise UsageError(f"{whole!r} is no fact about counts: {text!r} is no count")
    times = int(found["times"] or 1)
    name = found["after"] or found["name"]
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
