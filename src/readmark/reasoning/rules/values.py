"""Rules as values: conditions, negated groups, built-ins, conclusions, and the theory they form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from readmark.reasoning.graphs import Pattern
from readmark.reasoning.ontology import TYPE
from readmark.reasoning.terms import Name, Term, Variable

CONTRADICTS = Name("contradicts")
"""The predicate of a contradiction rule's conclusion."""


@dataclass(frozen=True, slots=True)
class Builtin:
    """A condition that is computed, not stored: ``(?N mrq:lessThanOrEqualTo 4)``."""

    name: str
    arguments: tuple[Term, ...]


Condition = Pattern | Builtin


@dataclass(frozen=True, slots=True)
class Rule:
    """If the positive conditions hold and no negated group does, then the head.

    A negated group holds when one choice of values for its own variables fulfils all of it.
    """

    name: str
    positive: tuple[Pattern, ...] = ()
    negative: tuple[tuple[Condition, ...], ...] = ()
    builtins: tuple[Builtin, ...] = ()
    head: tuple[Pattern, ...] = ()
    contradicts: str | None = None
    default: bool = False
    probability: float = 1.0
    comment: str = ""
    line: int = field(default=0, compare=False)

    def groups(self) -> tuple[tuple[Condition, ...], ...]:
        """The negated groups, with those that a default assumption implies.

        A default gives way to any other value: it negates each property it concludes.
        """
        if not self.default:
            return self.negative
        used = {one.text for one in variables_of([*self.positive, *self.builtins, *self.head])}
        implied = []
        for head in self.head:
            if not self._denies(head):
                free = next(name for name in _names() if name not in used)
                implied.append((Pattern(head.subject, head.predicate, Variable(free)),))
        return (*self.negative, *implied)

    @property
    def assumes(self) -> bool:
        """Whether it concludes a property it denies: a default assumption, said or not."""
        if self.contradicts is not None:
            return False
        return self.default or any(self._denies(one) for one in self.head)

    def _denies(self, head: Pattern) -> bool:
        """Whether it is written to deny the property, or the class, that it concludes."""
        return any(
            one.predicate == head.predicate
            and (
                head.predicate != TYPE
                or one.object == head.object
                or not (isinstance(one.object, Name) and isinstance(head.object, Name))
            )
            for group in self.negative
            for one in patterns_of(group)
        )


@dataclass(frozen=True, slots=True)
class Theory:
    """The rules of a domain under a name, with the file they came from."""

    name: str
    rules: tuple[Rule, ...] = ()
    file: str | None = field(default=None, compare=False)


def patterns_of(conditions: Iterable[Condition]) -> list[Pattern]:
    """The conditions that are matched against statements."""
    return [one for one in conditions if isinstance(one, Pattern)]


def builtins_of(conditions: Iterable[Condition]) -> list[Builtin]:
    """The conditions that are computed."""
    return [one for one in conditions if isinstance(one, Builtin)]


def terms_of(condition: Condition) -> tuple[Term, ...]:
    """The terms of a condition in the order they are written."""
    if isinstance(condition, Builtin):
        return condition.arguments
    return (condition.subject, condition.predicate, condition.object)


def variables_of(conditions: Iterable[Condition]) -> Iterator[Variable]:
    """The variables of the conditions, repeated as they occur."""
    for condition in conditions:
        for term in terms_of(condition):
            if isinstance(term, Variable):
                yield term


def _names() -> Iterator[str]:
    yield "other"
    yield from (f"other{number}" for number in count(2))
