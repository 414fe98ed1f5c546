"""Totals that nothing can have made up: what the domain's quantities and the counts rule out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from readmark.reasoning.decompositions.scheme import Scheme
from readmark.reasoning.decompositions.statements import take_apart
from readmark.reasoning.engine.inference import Derived
from readmark.reasoning.graphs import Statement
from readmark.reasoning.terms import Literal, Name


class Impossible(NamedTuple):
    """A graph with the total and the counts of one entity that do not go together."""

    graph: str
    statements: tuple[Statement, ...]


def impossible_totals(scheme: Scheme, found: Iterable[Derived]) -> Iterator[Impossible]:
    """Every entity whose total no combination of the quantities has, with the counts told of it."""
    counted = {one.property for one in scheme.quantities.values()} | {scheme.total}
    told: defaultdict[tuple[str, Name], list[Statement]] = defaultdict(list)
    for one in found:
        if one.statement.predicate.text in counted and isinstance(one.statement.object, Literal):
            told[one.graph, one.statement.subject].append(one.statement)
    known: dict[tuple[tuple[str, object], ...], bool] = {}
    for (graph, _), statements in sorted(told.items(), key=lambda one: one[0]):
        if not any(one.predicate.text == scheme.total for one in statements):
            continue
        # Many entities have the same numbers.
        numbers = tuple(sorted((one.predicate.text, str(one.object)) for one in statements))
        if numbers not in known:
            known[numbers] = all(one.explanation.possible for one in take_apart(scheme, statements))
        if not known[numbers]:
            yield Impossible(graph, tuple(statements))
