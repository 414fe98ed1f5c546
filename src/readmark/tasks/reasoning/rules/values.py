"""Rules as values: conditions, negated groups, built-ins, conclusions, and the theory they form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from readmark.tasks.reasoning.graphs import Change, Pattern, write_triple
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.terms import Name, Term, Variable, written

# The built-in conditions: their names, how many terms they take, and which of them compute.


PREFIX = "mrq:"
"""What every built-in's name starts with, as in the document's Table 3."""


@dataclass(frozen=True, slots=True)
class BuiltinMeaning:
    """A built-in: least and most terms, whether its first term is its result, and its sense."""

    least: int
    most: int | None
    computes: bool
    sense: str


def _test(sense: str) -> BuiltinMeaning:
    return BuiltinMeaning(2, 2, False, sense)


def _of(count: int, sense: str, most: int | None = -1) -> BuiltinMeaning:
    return BuiltinMeaning(count + 1, count + 1 if most == -1 else most, True, sense)


MEANINGS: Mapping[str, BuiltinMeaning] = {
    "mrq:lessThan": _test("the first is less than the second: numbers, strings or dates"),
    "mrq:lessThanOrEqualTo": _test("less than or equal to"),
    "mrq:greaterThan": _test("greater than"),
    "mrq:greaterThanOrEqualTo": _test("greater than or equal to"),
    "mrq:equalTo": _test("the same term, or numbers of the same value"),
    "mrq:notEqualTo": _test("not equal to"),
    "mrq:sum": _of(2, "the first is the sum of the rest", None),
    "mrq:difference": _of(2, "the second less the third"),
    "mrq:product": _of(2, "the product of the rest", None),
    "mrq:quotient": _of(2, "the second divided by the third, as a real number"),
    "mrq:integerQuotient": _of(2, "the second divided by the third, rounded down"),
    "mrq:remainder": _of(2, "what integerQuotient leaves"),
    "mrq:minimum": _of(2, "the least of the rest", None),
    "mrq:maximum": _of(2, "the greatest of the rest", None),
    "mrq:absolute": _of(1, "the number without its sign"),
    "mrq:contains": _test("the first string contains the second"),
    "mrq:startsWith": _test("the first string starts with the second"),
    "mrq:endsWith": _test("the first string ends with the second"),
    "mrq:matches": _test("the regular expression (RE2) matches somewhere in the string"),
    "mrq:sameLetters": _test("equal strings when case is ignored"),
    "mrq:lengthOf": _of(1, "the code points of a string"),
    "mrq:lowerCase": _of(1, "the string in lower case"),
    "mrq:upperCase": _of(1, "the string in upper case"),
    "mrq:concatenation": _of(2, "the strings one after the other", None),
    "mrq:before": _test("the first date or time is before the second"),
    "mrq:after": _test("the first date or time is after the second"),
    "mrq:yearOf": _of(1, "the year of a date or time"),
    "mrq:monthOf": _of(1, "the month, 1 to 12"),
    "mrq:dayOf": _of(1, "the day of the month"),
    "mrq:daysBetween": _of(2, "days from the second to the third"),
    "mrq:hasKind": _test("the term is a name, string, number, integer, count, boolean, date, time"),
    "mrq:lacksKind": _test("the term is none of that kind"),
}
"""Every built-in that a rule or a query may use."""

KINDS = ("name", "string", "number", "integer", "count", "boolean", "date", "time")
"""What ``mrq:hasKind`` may ask for: a count is an integer of 0 or more."""

ORDERED = "#ordered"
"""Internal: the terms are distinct and in the engine's own order, so that a set comes once."""

SMALLEST = "#smallest"
"""Internal: the terms are the first values, in the engine's order, of the patterns they are in.

So a subject with too many values comes once, and is found in one pass.
"""


def is_internal(name: str) -> bool:
    """Whether a condition is none that a rule file can write."""
    return name.startswith("#")


def is_builtin(name: str) -> bool:
    """Whether a predicate is computed instead of stored."""
    return name.startswith(PREFIX)


CONTRADICTS = Name("contradicts")
"""The predicate of a contradiction rule's conclusion."""


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
        used = {
            variable.text for variable in variables_of([*self.positive, *self.builtins, *self.head])
        }
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
        return self.default or any(self._denies(pattern) for pattern in self.head)

    def _denies(self, head: Pattern) -> bool:
        """Whether it is written to deny the property, or the class, that it concludes."""
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


def _names() -> Iterator[str]:
    yield "other"
    yield from (f"other{number}" for number in count(2))


# Conditions as they are written, and rules with other spellings of names.


def write_condition(condition: Condition) -> str:
    """``(?N mrq:lessThanOrEqualTo 4)`` or ``(?g hasOvertimePlay true)``."""
    if not isinstance(condition, Builtin):
        return write_triple(condition)
    first, *rest = map(written, condition.arguments)
    return f"({' '.join([first, condition.name, *rest])})"


def write_denied(group: Iterable[Condition]) -> str:
    """A denied group for people: what the engine adds to it is put in words."""
    conditions = list(group)
    shown = [
        write_condition(condition)
        for condition in conditions
        if not (isinstance(condition, Builtin) and is_internal(condition.name))
    ]
    counted = any(builtin.name == SMALLEST for builtin in builtins_of(conditions))
    before = f"{len(shown)} different " if counted and len(shown) > 1 else ""
    return before + " ".join(shown)


Rename = Callable[[Name], Name]


def rename_theory(theory: Theory, rename: Rename) -> Theory:
    """Every name of every rule, but those of rules and built-ins."""
    return replace(theory, rules=tuple(_renamed(rule, rename) for rule in theory.rules))


def rename_condition(condition: Condition, rename: Rename) -> Condition:
    """The names of one condition; the kinds that ``mrq:hasKind`` knows are no names."""
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
