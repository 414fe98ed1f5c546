"""Rules as values: conditions, negated groups, built-ins, conclusions, and the theory they form.

Also how conditions are written, and rules with other spellings of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count

from readmark.tasks.reasoning.graphs import Change, Pattern, write_triple
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rules.builtins import SMALLEST, is_builtin, is_internal
from readmark.tasks.reasoning.terms import Name, Term, Variable, written

CONTRADICTS = Name("contradicts")
"""The predicate of a contradiction rule's conclusion."""

Rename = Callable[[Name], Name]


@dataclass(frozen=True, slots=True)
class Builtin:
    """A condition that is computed, not stored: ``(?N mrq:lessThanOrEqualTo 4)``."""

    name: str
    arguments: tuple[Term, ...]

    def with_terms(self, change: Change) -> Builtin:
        """The condition with each of its terms changed."""
        return Builtin(self.name, tuple(map(change, self.arguments)))


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
        conditions: list[Condition] = [*self.positive, *self.builtins, *self.head]
        used = {variable.text for variable in variables_of(conditions)}
        candidates = chain(["other"], (f"other{number}" for number in count(2)))
        free = Variable(next(name for name in candidates if name not in used))
        implied = [
            (Pattern(head.subject, head.predicate, free),)
            for head in self.head
            if not self._denies(head)
        ]
        return (*self.negative, *implied)

    @property
    def assumes(self) -> bool:
        """Whether it concludes a property that it denies: a default, marked as one or not."""
        if self.contradicts is not None:
            return False
        return self.default or any(self._denies(pattern) for pattern in self.head)

    def _denies(self, head: Pattern) -> bool:
        """Whether a negated group denies the property that it concludes, with whatever value.

        A type is denied by the same class, or where one of the classes is a variable.
        """
        return any(
            pattern.predicate == head.predicate
            and (
                head.predicate != TYPE
                or pattern.object == head.object
                or not (isinstance(pattern.object, Name) and isinstance(head.object, Name))
            )
            for group in self.negative
            for pattern in patterns_of(group)
        )


@dataclass(frozen=True, slots=True)
class Theory:
    """The rules of a domain under a name, with the file they came from."""

    name: str
    rules: tuple[Rule, ...] = ()
    file: str | None = field(default=None, compare=False)


def condition_of(terms: Sequence[Term]) -> Condition:
    """A triple, or a built-in with any number of terms; ValueError says what is wrong."""
    predicate = terms[1] if len(terms) > 1 else None
    if isinstance(predicate, Name) and is_builtin(predicate.text):
        return Builtin(predicate.text, (terms[0], *terms[2:]))
    if len(terms) != 3:
        raise ValueError(f"a triple holds three terms, this one {len(terms)}")
    return Pattern(*terms)


def patterns_of(conditions: Iterable[Condition]) -> list[Pattern]:
    """The conditions that are matched against statements."""
    return [condition for condition in conditions if isinstance(condition, Pattern)]


def builtins_of(conditions: Iterable[Condition]) -> list[Builtin]:
    """The conditions that are computed."""
    return [condition for condition in conditions if isinstance(condition, Builtin)]


def binding(bindings: Mapping[str, Term]) -> Change:
    """A change of terms: variables that have a value become it."""
    return lambda term: bindings.get(term.text, term) if isinstance(term, Variable) else term


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


def write_condition(condition: Condition) -> str:
    """``(?N mrq:lessThanOrEqualTo 4)`` or ``(?g hasOvertimePlay true)``."""
    if not isinstance(condition, Builtin):
        return write_triple(condition)
    first, *rest = map(written, condition.arguments)
    return f"({' '.join([first, condition.name, *rest])})"


def write_denied(group: Iterable[Condition]) -> str:
    """A denied group for people: what the engine adds to it is left out or put in words."""
    conditions = list(group)
    shown = [
        write_condition(condition)
        for condition in conditions
        if not (isinstance(condition, Builtin) and is_internal(condition.name))
    ]
    counted = any(builtin.name == SMALLEST for builtin in builtins_of(conditions))
    before = f"{len(shown)} different " if counted and len(shown) > 1 else ""
    return before + " ".join(shown)


def rename_theory(theory: Theory, rename: Rename) -> Theory:
    """The theory with every name changed, except those of rules and built-ins."""
    return replace(theory, rules=tuple(_renamed(rule, rename) for rule in theory.rules))


def rename_condition(condition: Condition, rename: Rename) -> Condition:
    """The condition with its names changed; the kinds that ``mrq:hasKind`` knows are no names."""
    if isinstance(condition, Builtin) and condition.name.endswith("Kind"):
        return condition
    return condition.with_terms(_renaming(rename))


def _renamed(rule: Rule, rename: Rename) -> Rule:
    change = _renaming(rename)
    head = rule.head if rule.contradicts is not None else _changed(rule.head, change)
    return replace(
        rule,
        positive=_changed(rule.positive, change),
        negative=tuple(
            tuple(rename_condition(condition, rename) for condition in group)
            for group in rule.negative
        ),
        builtins=tuple(builtins_of(rename_condition(builtin, rename) for builtin in rule.builtins)),
        head=head,
    )


def _changed(patterns: Iterable[Pattern], change: Change) -> tuple[Pattern, ...]:
    return tuple(pattern.with_terms(change) for pattern in patterns)


def _renaming(rename: Rename) -> Change:
    return lambda term: rename(term) if isinstance(term, Name) else term
