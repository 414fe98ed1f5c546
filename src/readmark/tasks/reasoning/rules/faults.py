"""What makes a rule or query unusable whatever the data, such as a variable without a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from readmark.core.confinement import connect
from readmark.core.errors import did_you_mean
from readmark.core.extras import require
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.builtins import KINDS, MEANINGS, is_builtin
from readmark.tasks.reasoning.rules.values import (
    CONTRADICTS,
    Builtin,
    Condition,
    Rule,
    builtins_of,
    patterns_of,
    variables_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written


class RuleFault(NamedTuple):
    """What is wrong, and the section and term to point at."""

    message: str
    section: str
    term: Term


def rule_faults(rule: Rule) -> Iterator[RuleFault]:
    """Everything wrong with one rule, in the order of its sections."""
    yield from _pattern_faults(rule.positive, "if")
    yield from _builtin_faults(rule.builtins, "if")
    bound, blocked = bindings([*rule.positive, *rule.builtins])
    yield from _unbound_faults(blocked, bound, "if")
    for group in rule.negative:
        yield from _pattern_faults(patterns_of(group), "if-not")
        yield from _builtin_faults(builtins_of(group), "if-not")
        bound_in_group, blocked = bindings(group, bound)
        yield from _unbound_faults(blocked, bound_in_group, "if-not")
    yield from _head_faults(rule, bound)


def query_faults(conditions: Sequence[Condition]) -> Iterator[RuleFault]:
    """What makes a query unusable; a variable may stand for a property here."""
    for pattern in patterns_of(conditions):
        if isinstance(pattern.subject, Literal):
            yield RuleFault("a literal is no subject", "query", pattern.subject)
    yield from _builtin_faults(builtins_of(conditions), "query")
    bound, blocked = bindings(conditions)
    yield from _unbound_faults(blocked, bound, "query")


def bindings(
    conditions: Iterable[Condition], outer: Iterable[Variable] = ()
) -> tuple[list[Variable], list[Builtin]]:
    """The variables that get a value, in a fixed order, and the built-ins that can never run."""
    conditions = list(conditions)
    bound = dict.fromkeys([*outer, *variables_of(patterns_of(conditions))])
    waiting = builtins_of(conditions)
    while waiting:
        ready = [
            builtin for builtin in waiting if all(variable in bound for variable in needs(builtin))
        ]
        if not ready:
            break
        bound.update(dict.fromkeys(variables_of(ready)))
        waiting = [builtin for builtin in waiting if builtin not in ready]
    return list(bound), waiting


def needs(builtin: Builtin) -> list[Variable]:
    """The variables that must have a value before the built-in can run."""
    meaning = MEANINGS.get(builtin.name)
    inputs = builtin.arguments[1:] if meaning and meaning.computes else builtin.arguments
    return [variable for variable in inputs if isinstance(variable, Variable)]


def _pattern_faults(patterns: Sequence[Pattern], section: str) -> Iterator[RuleFault]:
    for pattern in patterns:
        subject, predicate = pattern.subject, pattern.predicate
        if isinstance(subject, Literal):
            yield RuleFault("a literal is no subject", section, subject)
        if not isinstance(predicate, Name):
            message = f"{written(predicate)} is in the place of a property"
            yield RuleFault(message, section, predicate)
        elif predicate == CONTRADICTS:
            yield RuleFault("contradicts can only be concluded", section, predicate)


def _builtin_faults(builtins: Sequence[Builtin], section: str) -> Iterator[RuleFault]:
    for builtin in builtins:
        meaning = MEANINGS.get(builtin.name)
        name = Name(builtin.name)
        if meaning is None:
            hint = did_you_mean(builtin.name, MEANINGS)
            yield RuleFault(f"no built-in is called {builtin.name}: {hint}", section, name)
            continue
        count = len(builtin.arguments)
        if count < meaning.least or (meaning.most is not None and count > meaning.most):
            expected = str(meaning.least) if meaning.most else f"{meaning.least} or more"
            yield RuleFault(f"{builtin.name} takes {expected} terms, not {count}", section, name)
        elif builtin.name in ("mrq:hasKind", "mrq:lacksKind"):
            kind = builtin.arguments[1]
            if not isinstance(kind, Name) or kind.text not in KINDS:
                yield RuleFault(f"{builtin.name} knows the kinds {', '.join(KINDS)}", section, kind)
        elif builtin.name == "mrq:matches":
            expression = builtin.arguments[1]
            if isinstance(expression, Literal) and isinstance(expression.value, str):
                fault = _expression_fault(expression.value)
                if fault:
                    message = f"{written(expression)} is no expression: {fault}"
                    yield RuleFault(message, section, expression)


def _expression_fault(expression: str) -> str:
    """What the database's RE2 says against an expression; empty if it is well formed."""
    require("duckdb")
    import duckdb

    try:
        with connect() as connection:
            connection.execute("SELECT regexp_matches('', ?)", [expression])
    except duckdb.Error as error:
        return str(error).splitlines()[0].partition("Error: ")[2]
    return ""


def _unbound_faults(
    blocked: Sequence[Builtin], bound: Sequence[Variable], section: str
) -> Iterator[RuleFault]:
    """What each built-in lacks, first what no other blocked one would have computed.

    The error that ends the reading of a file is the first: it should name the cause.
    """
    lacking = [
        (builtin, term) for builtin in blocked for term in needs(builtin) if term not in bound
    ]
    computed = {
        builtin.arguments[0] for builtin in blocked if builtin.arguments[0] not in needs(builtin)
    }
    for builtin, variable in sorted(lacking, key=lambda pair: pair[1] in computed):
        message = f"{written(variable)} has no value when {builtin.name} needs it"
        yield RuleFault(message, section, variable)


def _head_faults(rule: Rule, bound: Sequence[Variable]) -> Iterator[RuleFault]:
    contradictions = [pattern for pattern in rule.head if pattern.predicate == CONTRADICTS]
    if contradictions:
        if len(rule.head) > 1:
            yield RuleFault("a contradiction is a rule's only conclusion", "then", CONTRADICTS)
        if not isinstance(contradictions[0].object, Name):
            yield RuleFault("what is contradicted is a name", "then", contradictions[0].object)
        if rule.default:
            yield RuleFault("a contradiction is no default", "then", CONTRADICTS)
        return
    yield from _pattern_faults(rule.head, "then")
    for pattern in rule.head:
        if isinstance(pattern.predicate, Name) and is_builtin(pattern.predicate.text):
            yield RuleFault("a built-in cannot be concluded", "then", pattern.predicate)
        for variable in variables_of([pattern]):
            if variable not in bound:
                yield RuleFault(f"{written(variable)} is used only in :then", "then", variable)
