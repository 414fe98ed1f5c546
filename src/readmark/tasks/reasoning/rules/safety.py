"""What makes a rule unusable whatever the data: unbound variables, impossible conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from readmark.core.confinement import connect
from readmark.core.errors import did_you_mean
from readmark.core.extras import require
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.values import (
    CONTRADICTS,
    KINDS,
    MEANINGS,
    Builtin,
    Condition,
    Rule,
    builtins_of,
    is_builtin,
    patterns_of,
    variables_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written


class Fault(NamedTuple):
    """What is wrong and the section and term to point at."""

    message: str
    section: str
    term: Term


def faults(rule: Rule) -> Iterator[Fault]:
    """Everything wrong with one rule, in the order of its sections."""
    yield from _shapes(rule.positive, "if")
    yield from _computations(rule.builtins, "if")
    bound, unbound = bindings([*rule.positive, *rule.builtins])
    yield from _unbound(unbound, bound, "if")
    for group in rule.negative:
        yield from _shapes(patterns_of(group), "if-not")
        yield from _computations(builtins_of(group), "if-not")
        known, waiting = bindings(group, bound)
        yield from _unbound(waiting, known, "if-not")
    yield from _head(rule, bound)


def query_faults(conditions: Sequence[Condition]) -> Iterator[Fault]:
    """What makes a query unusable; a variable may stand for a property here."""
    for pattern in patterns_of(conditions):
        if isinstance(pattern.subject, Literal):
            yield Fault("a literal is no subject", "query", pattern.subject)
    yield from _computations(builtins_of(conditions), "query")
    bound, waiting = bindings(conditions)
    yield from _unbound(waiting, bound, "query")


def bindings(
    conditions: Iterable[Condition], outer: Iterable[Variable] = ()
) -> tuple[list[Variable], list[Builtin]]:
    """The variables that get a value, in a fixed order, and the built-ins that cannot run."""
    conditions = list(conditions)
    bound = dict.fromkeys([*outer, *variables_of(patterns_of(conditions))])
    waiting = builtins_of(conditions)
    while waiting:
        ready = [one for one in waiting if all(each in bound for each in needs(one))]
        if not ready:
            break
        for one in ready:
            bound.update(dict.fromkeys(variables_of([one])))
        waiting = [one for one in waiting if one not in ready]
    return list(bound), waiting


def needs(builtin: Builtin) -> list[Variable]:
    """The variables that must have a value before the built-in can run."""
    meaning = MEANINGS.get(builtin.name)
    inputs = builtin.arguments[1:] if meaning and meaning.computes else builtin.arguments
    return [one for one in inputs if isinstance(one, Variable)]


def _shapes(patterns: Sequence[Pattern], section: str) -> Iterator[Fault]:
    for pattern in patterns:
        if isinstance(pattern.subject, Literal):
            yield Fault("a literal is no subject", section, pattern.subject)
        if not isinstance(pattern.predicate, Name):
            yield Fault(
                f"{written(pattern.predicate)} stands where a rule names a property",
                section,
                pattern.predicate,
            )
        elif pattern.predicate == CONTRADICTS:
            yield Fault("contradicts can only be concluded", section, pattern.predicate)


def _computations(builtins: Sequence[Builtin], section: str) -> Iterator[Fault]:
    for one in builtins:
        meaning = MEANINGS.get(one.name)
        term = Name(one.name)
        if meaning is None:
            hint = did_you_mean(one.name, MEANINGS)
            yield Fault(f"no built-in is called {one.name}: {hint}", section, term)
            continue
        count = len(one.arguments)
        if count < meaning.least or (meaning.most is not None and count > meaning.most):
            wanted = str(meaning.least) if meaning.most else f"{meaning.least} or more"
            yield Fault(f"{one.name} takes {wanted} terms, not {count}", section, term)
        elif one.name in ("mrq:hasKind", "mrq:lacksKind"):
            kind = one.arguments[1]
            if not isinstance(kind, Name) or kind.text not in KINDS:
                yield Fault(f"{one.name} knows the kinds {', '.join(KINDS)}", section, kind)
        elif one.name == "mrq:matches":
            expression = one.arguments[1]
            wrong = _malformed(expression.value) if isinstance(expression, Literal) else ""
            if wrong:
                said = f"{written(expression)} is no expression: {wrong}"
                yield Fault(said, section, expression)


def _malformed(expression: object) -> str:
    """What the database's RE2 says against an expression; empty where it is well formed."""
    require("duckdb")
    import duckdb

    if not isinstance(expression, str):
        return ""
    try:
        with connect() as connection:
            connection.execute("SELECT regexp_matches('', ?)", [expression])
    except duckdb.Error as wrong:
        return str(wrong).splitlines()[0].partition("Error: ")[2]
    return ""


def _unbound(
    waiting: Sequence[Builtin], bound: Sequence[Variable], section: str
) -> Iterator[Fault]:
    """What each built-in lacks; first what no other one that waits would have computed."""
    lacking = [(one, term) for one in waiting for term in needs(one) if term not in bound]
    computed = {one.arguments[0] for one in waiting if one.arguments[0] not in needs(one)}
    for one, variable in sorted(lacking, key=lambda pair: pair[1] in computed):
        yield Fault(f"{written(variable)} has no value when {one.name} needs it", section, variable)


def _head(rule: Rule, bound: Sequence[Variable]) -> Iterator[Fault]:
    contradictions = [one for one in rule.head if one.predicate == CONTRADICTS]
    if contradictions:
        if len(rule.head) > 1:
            yield Fault("a contradiction is a rule's only conclusion", "then", CONTRADICTS)
        if not isinstance(contradictions[0].object, Name):
            yield Fault("what is contradicted is a name", "then", contradictions[0].object)
        if rule.default:
            yield Fault("a contradiction is no default", "then", CONTRADICTS)
        return
    yield from _shapes(rule.head, "then")
    known = set(bound)
    for pattern in rule.head:
        if isinstance(pattern.predicate, Name) and is_builtin(pattern.predicate.text):
            yield Fault("a built-in cannot be concluded", "then", pattern.predicate)
        for variable in variables_of([pattern]):
            if variable not in known:
                yield Fault(f"{written(variable)} is used only in :then", "then", variable)
