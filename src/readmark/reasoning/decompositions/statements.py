"""Totals in statements taken apart: which counts they leave possible, as uncertain statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from readmark.corpus.errors import DataError
from readmark.reasoning.decompositions.facts import Fact, Term
from readmark.reasoning.decompositions.posterior import Explanation, explain
from readmark.reasoning.decompositions.prior import ZERO
from readmark.reasoning.decompositions.readings import Reading
from readmark.reasoning.decompositions.scheme import Scheme
from readmark.reasoning.graphs import Statement
from readmark.reasoning.terms import Literal, Name, written


class Likely(NamedTuple):
    """A statement about a count that follows from a total, and how likely it is."""

    statement: Statement
    probability: Fraction


class TakenApart(NamedTuple):
    """An entity's total with what explains it."""

    subject: Name
    total: int
    explanation: Explanation


def take_apart(scheme: Scheme, statements: Iterable[Statement]) -> list[TakenApart]:
    """Every entity that has a total, explained with the counts that are stated of it."""
    if scheme.total is None:
        raise DataError("the quantities name no property of their total")
    properties = {one.property: one.name for one in scheme.quantities.values() if one.property}
    totals: dict[Name, int] = {}
    known: defaultdict[Name, list[Fact]] = defaultdict(list)
    for one in statements:
        value = one.object.value if isinstance(one.object, Literal) else None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            continue
        if one.predicate.text == scheme.total:
            totals[one.subject] = value
        elif quantity := properties.get(one.predicate.text):
            told = f"{quantity} == {value}"
            known[one.subject].append(Fact(told, (Term(1, quantity),), "==", (Term(value),)))
    return [
        TakenApart(
            subject,
            total,
            explain(scheme, [Reading({written(subject): total})], known=known[subject]),
        )
        for subject, total in totals.items()
    ]


def likely_counts(scheme: Scheme, statements: Iterable[Statement]) -> Iterator[Likely]:
    """For every entity with a total, each count of each quantity that it leaves possible."""
    for subject, _, explanation in take_apart(scheme, statements):
        for quantity in scheme.quantities.values():
            if quantity.property is None:
                continue
            chances: defaultdict[int, Fraction] = defaultdict(lambda: ZERO)
            for one in explanation.combinations:
                chances[one.counts[written(subject)][quantity.name]] += one.probability
            for count, chance in sorted(chances.items(), key=lambda item: (-item[1], item[0])):
                yield Likely(Statement(subject, Name(quantity.property), Literal(count)), chance)
