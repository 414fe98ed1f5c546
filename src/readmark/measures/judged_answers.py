"""A query's answers beside the gold: which are right, wrong, beyond the phase, or not judged."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.documents import NAMESPACES, QueryKey, Solution, asked_of
from readmark.corpus.iris import respelt
from readmark.corpus.values import Unit
from readmark.measures.answer_alignment import Pairing, align
from readmark.measures.excerpt_overlap import disjoint

Right = tuple[Solution, Solution, float]
"""An answer, the gold's that it stands for, and its credit."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers of one candidate to one query, sorted by what the key says of them."""

    wanted: Sequence[Solution]
    right: Sequence[Right]
    wrong: Sequence[Solution]
    """Judged and rejected."""
    unjudged: Sequence[Solution]
    complete: bool
    """Whether the annotation is said to be complete, so that what is not in it is wrong."""


def judge(
    unit: Unit, references: Sequence[Sequence[Any]], answer: Any | None, *, credit: str
) -> Judged:
    """The answers against the gold, then against what was judged besides it.

    An answer said twice is one, however its entities are spelt. Answers beyond the phase are left
    out.
    """
    return _judged(_Case(unit, references, answer), credit)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """What is judged, known by its parts themselves: several metrics judge the same."""

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
def _judged(case: _Case, credit: str) -> Judged:
    unit = case.unit
    key: QueryKey | None = unit.key
    asked = asked_of(unit.item.fields)
    spaces = namespaces_of(unit)
    references = [
        one for person in case.references for several in person for one in several.solutions
    ]
    gold = _distinct(references, asked, spaces)
    said = _distinct(case.answer.solutions, asked, spaces) if case.answer is not None else []
    rejected = _distinct(key.rejected, asked, spaces) if key is not None else []
    beyond = _distinct(key.out_of_bounds, asked, spaces) if key is not None else []
    # The very answer that was judged is not given the credit of one that it resembles.
    verdicts = {one.bound for one in (*rejected, *beyond)} - {one.bound for one in gold}
    free = [one for one in said if one.bound not in verdicts]
    found = align(free, gold, credit=credit)
    right = [(free[one.said], gold[one.wanted], one.credit) for one in found]
    left = [one for one in said if one.bound in verdicts] + _without(free, found)
    left = _without(left, align(left, beyond, credit=credit))
    wrong = align(left, rejected, credit=credit)
    complete = key is None or key.annotation == "complete"
    return Judged(gold, right, [left[one.said] for one in wrong], _without(left, wrong), complete)


def is_inference(solution: Solution) -> bool:
    """Whether an answer is inferred: as it says, else when it takes several pieces of text."""
    if solution.inferred is not None:
        return solution.inferred
    return disjoint(solution.excerpts) > 1


def namespaces_of(unit: Unit) -> Mapping[str, str]:
    """The prefixes by which names of entities on a unit are told to be one."""
    found = unit.record.fields.get(NAMESPACES)
    return found if isinstance(found, dict) else {}


def _distinct(
    solutions: Sequence[Solution], asked: Sequence[str] | None, spaces: Mapping[str, str]
) -> list[Solution]:
    """Answers by the variables asked for; of equal ones the first, stated ones before inferred."""
    found: dict[tuple[tuple[str, str], ...], Solution] = {}
    for each in sorted(solutions, key=is_inference):
        one = respelt(each.of(asked), spaces)
        found.setdefault(one.bound, one)
    return list(found.values())


def _without(said: Sequence[Solution], pairs: Sequence[Pairing]) -> list[Solution]:
    taken = {one.said for one in pairs}
    return [one for at, one in enumerate(said) if at not in taken]
