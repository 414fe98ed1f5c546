"""Totals in statements taken apart: which counts they leave possible, and whether there are any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from readmark.core.errors import DataError
from readmark.tasks.decompositions.count_facts import CountFact, Term
from readmark.tasks.decompositions.posterior import Explanation, explain
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.score_readings import ScoreReading
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.terms import Literal, Name, written


class ExplainedTotal(NamedTuple):
    """An entity's total with what explains it."""

    subject: Name
    total: int
    explanation: Explanation


def explain_totals(scheme: Scheme, statements: Iterable[Statement]) -> list[ExplainedTotal]:
    """Every entity that has a total, explained with the counts that are stated of it."""
    if scheme.total is None:
        raise DataError("the quantities name no property of their total")
    quantity_of = {
        quantity.property: quantity.name
        for quantity in scheme.quantities.values()
        if quantity.property
    }
    totals: dict[Name, int] = {}
    facts: defaultdict[Name, list[CountFact]] = defaultdict(list)
    for statement in statements:
        value = statement.object.value if isinstance(statement.object, Literal) else None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            continue
        if statement.predicate.text == scheme.total:
            totals[statement.subject] = value
        elif quantity := quantity_of.get(statement.predicate.text):
            text = f"{quantity} == {value}"
            fact = CountFact(text, (Term(1, quantity),), "==", (Term(value),))
            facts[statement.subject].append(fact)
    return [
        ExplainedTotal(
            subject,
            total,
            explain(scheme, [ScoreReading({written(subject): total})], known=facts[subject]),
        )
        for subject, total in totals.items()
    ]


class Impossible(NamedTuple):
    """A graph with the total and the counts of one entity that do not go together."""

    graph: str
    statements: tuple[Statement, ...]


def impossible_totals(scheme: Scheme, derived: Iterable[Derived]) -> Iterator[Impossible]:
    """Every entity whose total no combination of the quantities has, with its stated counts."""
    properties = {quantity.property for quantity in scheme.quantities.values()} | {scheme.total}
    by_entity: defaultdict[tuple[str, Name], list[Statement]] = defaultdict(list)
    for graph, statement in ((each.graph, each.statement) for each in derived):
        if statement.predicate.text in properties and isinstance(statement.object, Literal):
            by_entity[graph, statement.subject].append(statement)
    # Many entities have the same numbers, so each set of numbers is taken apart once.
    is_possible: dict[tuple[tuple[str, object], ...], bool] = {}
    for (graph, _), statements in sorted(by_entity.items(), key=lambda item: item[0]):
        if not any(statement.predicate.text == scheme.total for statement in statements):
            continue
        numbers = tuple(
            sorted((statement.predicate.text, str(statement.object)) for statement in statements)
        )
        if numbers not in is_possible:
            explained = explain_totals(scheme, statements)
            is_possible[numbers] = all(total.explanation.possible for total in explained)
        if not is_possible[numbers]:
            yield Impossible(graph, tuple(statements))
