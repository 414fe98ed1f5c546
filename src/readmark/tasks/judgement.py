"""Answers compared with the gold: which are right, wrong, beyond the phase, or not judged.

What is right is found by :mod:`readmark.tasks.alignment`; whether an answer is a fact or an
inference is the gold's to say.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.records import Unit
from readmark.tasks.alignment import MatchedAnswers, align
from readmark.tasks.excerpt_overlap import count_pieces
from readmark.tasks.names import respell
from readmark.tasks.records import INFERRED, NAMESPACES, ROLE, UNKNOWN, QueryKey, Solution, asked_of


class RightAnswer(NamedTuple):
    """An answer, the gold's that it stands for, and its credit."""

    answer: Solution
    gold: Solution
    credit: float


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """The answers of one candidate to one query, sorted by what the key says of them."""

    gold: Sequence[Solution]
    right: Sequence[RightAnswer]
    wrong: Sequence[Solution]
    """Judged and rejected."""
    unjudged: Sequence[Solution]
    complete: bool
    """Whether the annotation is said to be complete, so that what is not in it is wrong."""


def judge(
    unit: Unit, references: Sequence[Sequence[Any]], answer: Any | None, *, credit: str
) -> JudgedAnswers:
    """The answers against the gold, then against what was judged besides it.

    An answer given twice is one, however its entities are spelt. Answers beyond the phase are left
    out.
    """
    return _judged(_Case(unit, references, answer), credit)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """What is judged, known by the identity of its parts: several metrics judge the same."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    answer: Any | None

    def __hash__(self) -> int:
        return hash((id(self.unit), id(self.references), id(self.answer)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Case) and (
            self.unit is other.unit
            and self.references is other.references
            and self.answer is other.answer
        )


@functools.lru_cache(maxsize=1024)
def _judged(case: _Case, credit: str) -> JudgedAnswers:
    unit = case.unit
    key: QueryKey | None = unit.key
    variables = asked_of(unit.item.fields)
    namespaces = namespaces_of(unit)

    def distinct(solutions: Sequence[Solution]) -> list[Solution]:
        return _distinct(solutions, variables, namespaces)

    gold = distinct(
        [
            solution
            for person in case.references
            for reference in person
            for solution in reference.solutions
        ]
    )
    answers = distinct(case.answer.solutions) if case.answer is not None else []
    rejected = distinct(key.rejected) if key is not None else []
    beyond = distinct(key.out_of_bounds) if key is not None else []

    # The very answer that was judged is not given the credit of one that it resembles.
    verdicts = {solution.bound for solution in (*rejected, *beyond)}
    verdicts -= {solution.bound for solution in gold}
    open_answers = [solution for solution in answers if solution.bound not in verdicts]
    matched = align(open_answers, gold, credit=credit)
    right = [
        RightAnswer(open_answers[match.answer], gold[match.gold], match.credit) for match in matched
    ]

    rest = [solution for solution in answers if solution.bound in verdicts]
    rest += _unmatched(open_answers, matched)
    rest = _unmatched(rest, align(rest, beyond, credit=credit))
    wrong = align(rest, rejected, credit=credit)
    return JudgedAnswers(
        gold=gold,
        right=right,
        wrong=[rest[match.answer] for match in wrong],
        unjudged=_unmatched(rest, wrong),
        complete=key is None or key.annotation == "complete",
    )


def is_inference(solution: Solution, role: object = None) -> bool:
    """Whether an answer of the gold is inferred.

    It is as the answer says. Where it does not say, it is inferred if it takes several pieces of
    text, or if the query is on a property whose role is ``inferred``.
    """
    if solution.inferred is not None:
        return solution.inferred
    return role == INFERRED or count_pieces(solution.excerpts) > 1


def others_are_inferences(unit: Unit, gold: Sequence[Solution]) -> bool:
    """Whether answers to a query that the gold does not have count as inferences.

    They do if all that the gold has are inferences, and do not if all are facts. Where that leaves
    it open, the role of the property decides. What a candidate says of its own answers does not:
    by leaving ``inferred`` out it could move its errors to where they cost less.
    """
    role = unit.item.fields.get(ROLE)
    sorts = {is_inference(solution, role) for solution in gold}
    if len(sorts) == 1:
        return sorts.pop()
    if role == UNKNOWN:
        require("lark", "pyoxigraph")
        message = "fact or inference? Its ontology or graph cannot be read: see readmark check"
        raise DataError(message, where=unit.id)
    return bool(role == INFERRED)


def namespaces_of(unit: Unit) -> Mapping[str, str]:
    """The prefixes by which names of entities on a unit are known to be one."""
    namespaces = unit.record.fields.get(NAMESPACES)
    return namespaces if isinstance(namespaces, dict) else {}


def _distinct(
    solutions: Sequence[Solution], variables: Sequence[str] | None, namespaces: Mapping[str, str]
) -> list[Solution]:
    """Answers by the variables asked for; of equal ones the first, stated ones before inferred."""
    distinct: dict[tuple[tuple[str, str], ...], Solution] = {}
    for solution in sorted(solutions, key=is_inference):
        respelt = respell(solution.of(variables), namespaces)
        distinct.setdefault(respelt.bound, respelt)
    return list(distinct.values())


def _unmatched(answers: Sequence[Solution], matched: Sequence[MatchedAnswers]) -> list[Solution]:
    places = {match.answer for match in matched}
    return [solution for place, solution in enumerate(answers) if place not in places]
