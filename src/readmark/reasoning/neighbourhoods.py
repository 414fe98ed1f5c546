"""Which inputs of a graph can bear on one another: those that share terms which rules join on.

A place is a property's subject or object. Where every rule's conditions hang together by shared
variables, and conclusions have no new terms in the places that are joined on, no instance of a rule
reaches from one neighbourhood into another: each has the same conclusions alone as in its graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from readmark.reasoning.graphs import Pattern, Statement
from readmark.reasoning.rules.values import Rule, patterns_of, variables_of
from readmark.reasoning.terms import Literal, Name, Term, Variable

Place = tuple[str, str]
"""A property, and whether its subject or its object is meant."""
_SIDES = ("subject", "object")


def joined_places(rules: Sequence[Rule], properties: Iterable[str]) -> frozenset[Place] | None:
    """The places whose terms make neighbours; None where a rule may reach across any of them.

    ``properties`` are those that the rules' conditions have; what else they conclude is no matter.
    """
    places: set[Place] = set()
    bodies = [_body(rule) for rule in rules]
    for rule, body in zip(rules, bodies, strict=True):
        if not rule.positive or not _hangs_together(body):
            return None
        shared = _shared(body)
        places |= {place for place, term in _terms(body) if term in shared}
    for body in bodies:
        for one in body:
            found = dict(_terms([one]))
            if not any(place in places for place, term in found.items() if _free(term)):
                first = next((place for place, term in found.items() if _free(term)), None)
                if first is None:
                    return None
                places.add(first)
    return _with_conclusions(rules, bodies, frozenset(properties), places)


def neighbours(
    statements: Iterable[Statement], places: frozenset[Place]
) -> Mapping[Statement, list[Statement]]:
    """Each statement's neighbourhood, itself included; neighbours have the same list."""
    groups = _Groups()
    every = list(statements)
    for one in every:
        groups.join([one, *_joined(one, places)])
    found: dict[Hashable, list[Statement]] = {}
    for one in every:
        found.setdefault(groups.root(one), []).append(one)
    return {one: found[groups.root(one)] for one in every}


def _with_conclusions(
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
            heads = [one for one in rule.head if _property(one) in properties]
            for place, term in _terms(heads):
                if place in places:
                    sources = {at for at, other in _terms(body) if other == term}
                    if not _free(term) or not sources:  # A new term: a constant, or computed.
                        return None
                    places |= sources
    return frozenset(places)


def _body(rule: Rule) -> list[Pattern]:
    """The patterns of a rule; a denied group's own variables get names of their own."""
    outer = set(variables_of([*rule.positive, *rule.builtins]))
    found = list(rule.positive)
    for number, group in enumerate(rule.groups()):
        for one in patterns_of(group):
            subject, object_ = (
                Variable(f"{term.text} {number}")
                if isinstance(term, Variable) and term not in outer
                else term
                for term in (one.subject, one.object)
            )
            found.append(replace(one, subject=subject, object=object_))
    return found


def _hangs_together(body: Sequence[Pattern]) -> bool:
    groups = _Groups()
    for number, one in enumerate(body):
        groups.join([number, *(term for _, term in _terms([one]) if _free(term))])
    return len({groups.root(number) for number in range(len(body))}) == 1


def _shared(body: Sequence[Pattern]) -> set[Term]:
    """The variables of several patterns, or of both places of one."""
    free = [term for _, term in _terms(body) if _free(term)]
    return {term for term in free if free.count(term) > 1}


def _terms(patterns: Iterable[Pattern]) -> Iterator[tuple[Place, Term]]:
    for one in patterns:
        for side in _SIDES:
            yield (_property(one), side), getattr(one, side)


def _joined(one: Statement, places: frozenset[Place]) -> Iterator[Name | Literal]:
    for side in _SIDES:
        if (one.predicate.text, side) in places:
            yield getattr(one, side)


def _property(one: Pattern) -> str:
    return one.predicate.text if isinstance(one.predicate, Name) else ""


def _free(term: Term) -> bool:
    return isinstance(term, Variable)


class _Groups:
    """Things that are joined, directly or through others."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def root(self, one: Hashable) -> Hashable:
        """The thing that stands for all it is joined with."""
        above = self._above.setdefault(one, one)
        while above != self._above[above]:
            self._above[above] = self._above[self._above[above]]
            above = self._above[above]
        self._above[one] = above
        return above

    def join(self, things: Sequence[Hashable]) -> None:
        """These belong together."""
        first = self.root(things[0])
        for other in things[1:]:
            self._above[self.root(other)] = first
