"""Which inputs of a graph can bear on one another: those that share terms which rules join on.

A graph of many documents need then not be inferred over as a whole to see what one of its
contradictions rests on: its neighbourhood is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from readmark.tasks.reasoning.disjoint_sets import DisjointSets
from readmark.tasks.reasoning.graphs import Pattern, Statement
from readmark.tasks.reasoning.rules.values import Rule, patterns_of, variables_of
from readmark.tasks.reasoning.terms import Term, Variable

Place = tuple[str, str]
"""A property, and whether its subject or its object is meant."""
_SIDES = ("subject", "object")


def joined_places(rules: Sequence[Rule], properties: Iterable[str]) -> frozenset[Place] | None:
    """The places whose terms make neighbours; None where a rule may reach across any of them.

    ``properties`` are those that the rules' conditions have; what else they conclude is no matter.
    """
    bodies = [_body(rule) for rule in rules]
    places: set[Place] = set()
    for rule, body in zip(rules, bodies, strict=True):
        if not rule.positive or not _is_connected(body):
            return None
        variables = [term for _, term in _terms(body) if _is_variable(term)]
        places |= {place for place, term in _terms(body) if variables.count(term) > 1}
    # Every pattern needs a place, or the statements that match it would have no neighbours.
    for body in bodies:
        for pattern in body:
            free = [place for place, term in _terms([pattern]) if _is_variable(term)]
            if not free:
                return None
            if places.isdisjoint(free):
                places.add(free[0])
    return _with_sources(rules, bodies, frozenset(properties), places)


def neighbours(
    statements: Iterable[Statement], places: frozenset[Place]
) -> Mapping[Statement, list[Statement]]:
    """Each statement's neighbourhood, itself included; neighbours have the same list."""
    joined = DisjointSets()
    every = list(statements)
    for statement in every:
        sides = (side for side in _SIDES if (statement.predicate.text, side) in places)
        joined.join([statement, *(getattr(statement, side) for side in sides)])
    neighbourhoods: dict[Hashable, list[Statement]] = {}
    for statement in every:
        neighbourhoods.setdefault(joined.root(statement), []).append(statement)
    return {statement: neighbourhoods[joined.root(statement)] for statement in every}


def _body(rule: Rule) -> list[Pattern]:
    """The patterns of a rule. Two denied groups may use a variable's name for different things."""
    outer = set(variables_of([*rule.positive, *rule.builtins]))

    def renamed(term: Term, group: int) -> Term:
        if isinstance(term, Variable) and term not in outer:
            return Variable(f"{term.text} {group}")
        return term

    denied = [
        pattern.with_terms(partial(renamed, group=number))
        for number, group in enumerate(rule.groups())
        for pattern in patterns_of(group)
    ]
    return [*rule.positive, *denied]


def _is_connected(body: Sequence[Pattern]) -> bool:
    """Whether shared variables lead from every pattern to every other."""
    joined = DisjointSets()
    for number, pattern in enumerate(body):
        joined.join([number, *(term for _, term in _terms([pattern]) if _is_variable(term))])
    return len({joined.root(number) for number in range(len(body))}) == 1


def _with_sources(
    rules: Sequence[Rule],
    bodies: Sequence[Sequence[Pattern]],
    properties: frozenset[str],
    places: set[Place],
) -> frozenset[Place] | None:
    """The places with those that their terms come from through conclusions."""
    size = -1
    while size < len(places):
        size = len(places)
        for rule, body in zip(rules, bodies, strict=True):
            if rule.contradicts is not None:
                continue
            heads = [pattern for pattern in rule.head if pattern.property_name in properties]
            for place, term in _terms(heads):
                if place not in places:
                    continue
                sources = {source for source, body_term in _terms(body) if body_term == term}
                if not _is_variable(term) or not sources:
                    # A constant or a computed term: everything it is concluded of shares it.
                    return None
                places |= sources
    return frozenset(places)


def _terms(patterns: Iterable[Pattern]) -> Iterator[tuple[Place, Term]]:
    for pattern in patterns:
        for side in _SIDES:
            yield (pattern.property_name, side), getattr(pattern, side)


def _is_variable(term: Term) -> bool:
    return isinstance(term, Variable)
