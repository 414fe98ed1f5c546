"""Answers compared with the gold: which are right, wrong, beyond the phase, or not judged."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.test import Test
from readmark.hooks import MetricFacts, MetricReport
from readmark.marking import Ratio
from readmark.tasks.alignment import CREDITS, MatchedAnswers, align
from readmark.tasks.names import respell
from readmark.tasks.records import INFERRED, NAMESPACES, ROLE, UNKNOWN, QueryKey, Solution, asked_of

# Excerpts of documents set against each other: how much they share, how many pieces they are.


Pieces = Mapping[str, list[tuple[int, int]]]
"""Stretches by document that neither overlap nor touch."""


def pieces(excerpts: Iterable[Excerpt]) -> Pieces:
    """The excerpts with those that overlap or touch made one."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for excerpt in sorted(excerpts):
        own = found[excerpt.document]
        if own and excerpt.start <= own[-1][1]:
            own[-1] = own[-1][0], max(own[-1][1], excerpt.end)
        else:
            own.append((excerpt.start, excerpt.end))
    return found


def disjoint(excerpts: Iterable[Excerpt]) -> int:
    """How many separate pieces of text there are."""
    return sum(map(len, pieces(excerpts).values()))


def overlap(a: Iterable[Excerpt], b: Iterable[Excerpt]) -> float:
    """Dice's coefficient of the code points that two sets of excerpts cover."""
    ours, theirs = pieces(a), pieces(b)
    size = sum(
        end - start for both in (ours, theirs) for own in both.values() for start, end in own
    )
    shared = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for document, own in ours.items()
        for start, end in own
        for other_start, other_end in theirs.get(document, ())
    )
    return 2 * shared / size if size else 0.0


Right = tuple[Solution, Solution, float]
"""An answer, the gold's that it stands for, and its credit."""


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
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
) -> JudgedAnswers:
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
def _judged(case: _Case, credit: str) -> JudgedAnswers:
    unit = case.unit
    key: QueryKey | None = unit.key
    asked = asked_of(unit.item.fields)
    spaces = namespaces_of(unit)
    references = [
        solution
        for person in case.references
        for several in person
        for solution in several.solutions
    ]
    gold = _distinct(references, asked, spaces)
    solutions = _distinct(case.answer.solutions, asked, spaces) if case.answer is not None else []
    rejected = _distinct(key.rejected, asked, spaces) if key is not None else []
    beyond = _distinct(key.out_of_bounds, asked, spaces) if key is not None else []
    # The very answer that was judged is not given the credit of one that it resembles.
    verdicts = {solution.bound for solution in (*rejected, *beyond)} - {
        solution.bound for solution in gold
    }
    free = [solution for solution in solutions if solution.bound not in verdicts]
    found = align(free, gold, credit=credit)
    right = [
        (free[matched_answers.said], gold[matched_answers.wanted], matched_answers.credit)
        for matched_answers in found
    ]
    left = [solution for solution in solutions if solution.bound in verdicts] + _without(
        free, found
    )
    left = _without(left, align(left, beyond, credit=credit))
    wrong = align(left, rejected, credit=credit)
    complete = key is None or key.annotation == "complete"
    return JudgedAnswers(
        gold,
        right,
        [left[matched_answers.said] for matched_answers in wrong],
        _without(left, wrong),
        complete,
    )


def is_inference(solution: Solution, role: object = None) -> bool:
    """Whether an answer of the gold is inferred: as it says, else when it takes several pieces of
    text, or is to a query on a property of the role ``inferred``."""
    if solution.inferred is not None:
        return solution.inferred
    return role == INFERRED or disjoint(solution.excerpts) > 1


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
    found = unit.record.fields.get(NAMESPACES)
    return found if isinstance(found, dict) else {}


def _distinct(
    solutions: Sequence[Solution], asked: Sequence[str] | None, spaces: Mapping[str, str]
) -> list[Solution]:
    """Answers by the variables asked for; of equal ones the first, stated ones before inferred."""
    found: dict[tuple[tuple[str, str], ...], Solution] = {}
    for each in sorted(solutions, key=is_inference):
        solution = respell(each.of(asked), spaces)
        found.setdefault(solution.bound, solution)
    return list(found.values())


def _without(said: Sequence[Solution], pairs: Sequence[MatchedAnswers]) -> list[Solution]:
    taken = {pair.said for pair in pairs}
    return [solution for index, solution in enumerate(said) if index not in taken]


# What the metrics of answers to queries share: precision, recall and F over all answers.


MEASURES = ("f", "precision", "recall")
UNJUDGED = ("annotation", "wrong", "left_out")


@dataclass(frozen=True)
class Bindings:
    """F of answers over all queries together: (1 + β²) P R / (β² P + R).

    A unit's vector is (credit, answers said, answers wanted, answers not judged). A right answer
    is of the gold's sort; of the others, the gold and the property's role decide.
    """

    beta: float = parameter(1.0, help="how many times recall is worth precision")
    measure: str = parameter("f", choices=MEASURES, help="F, or one of the two it is made of")
    mentions: str = parameter(
        "partial",
        choices=CREDITS,
        help="the credit of entities that are named otherwise, by the mentions they share",
    )
    unjudged: str = parameter(
        "annotation",
        choices=UNJUDGED,
        help="what an answer that nobody judged counts as: wrong where annotation is complete",
    )

    _annotation: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)
    """Whether the test's queries are completely annotated."""

    facts: ClassVar[MetricFacts] = MetricFacts(scale=100.0, width=4, quantity="share")
    inferred: ClassVar[bool | None] = None
    """The sort of answers that is marked: inferences, facts, or both."""

    def __post_init__(self) -> None:
        if not 0 < self.beta < float("inf"):
            raise UsageError(f"beta is {self.beta:g}, expected a number above 0")
        for name, choices in (
            ("measure", MEASURES),
            ("mentions", CREDITS),
            ("unjudged", UNJUDGED),
        ):
            if (said := getattr(self, name)) not in choices:
                raise UsageError(f"{name} is {said!r}, expected one of {', '.join(choices)}")

    def resolve(self, test: Test) -> Self:
        """How the test was annotated decides what answers that nobody judged count as."""
        resolved = replace(self)
        annotation = {unit.key.annotation for unit in test.units() if unit.key is not None}
        object.__setattr__(resolved, "_annotation", frozenset(annotation))
        return resolved

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(credit, said, wanted, not judged)."""
        judged = judge(unit, references, answer, credit=self.mentions)
        role = unit.item.fields.get(ROLE)

        def counts(solution: Solution) -> bool:
            return self.inferred in (None, is_inference(solution, role))

        right = [credit for _, gold, credit in judged.right if counts(gold)]
        wrong, unjudged = len(judged.wrong), len(judged.unjudged)
        if (
            self.inferred is not None
            and (wrong or unjudged)
            and others_are_inferences(unit, judged.wanted) != self.inferred
        ):
            wrong = unjudged = 0
        taken = self.unjudged == "wrong" or (self.unjudged == "annotation" and judged.complete)
        said = len(right) + wrong + (unjudged if taken else 0)
        wanted = sum(map(counts, judged.wanted))
        return float(sum(right)), float(said), float(wanted), float(unjudged)

    def aggregate(self, sums: Floats) -> Floats:
        """The measure; F is 0 when there is something to find or something said, but no credit."""
        credit, said, wanted = (sums[..., index] for index in range(3))
        square = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.measure == "precision":
                return np.asarray(credit / said)
            if self.measure == "recall":
                return np.asarray(credit / wanted)
            return np.asarray((1 + square) * credit / (square * wanted + said))

    def report(self, rows: Floats) -> MetricReport:
        """How many answers nobody has judged: until they are, the mark is provisional."""
        return MetricReport(provisional=int(rows[:, 3].sum()), unjudged=self._unjudged_words())

    def _unjudged_words(self) -> str:
        """What answers that nobody judged count as, on the test."""
        if self.unjudged == "wrong":
            return "they count as wrong, as asked"
        if self.unjudged == "left_out":
            return "they are left out, as asked"
        if self._annotation == {"complete"}:
            return "they count as wrong, since annotation is complete"
        if "complete" not in self._annotation:
            return f"they are left out, since annotation is {' or '.join(sorted(self._annotation))}"
        return "they count as wrong where annotation is complete and are left out elsewhere"

    def signature(self) -> Mapping[str, str]:
        """Everything that decides the number."""
        return {
            "answers": "one to one",
            **({} if self.inferred is None else {"sort": "gold, then role"}),
            "beta": f"{self.beta:g}",
            "measure": self.measure,
            "mentions": self.mentions,
            "unjudged": self.unjudged,
            "units": "ratio of sums",
        }


@dataclass(frozen=True)
class Answers(Bindings):
    """F of all answers."""


@dataclass(frozen=True)
class StatedAnswers(Bindings):
    """F of answers stated directly in text; its ratio to people's is PR_F.

    "The DARPA Machine Reading Program", section 3.3.
    """

    inferred: ClassVar[bool | None] = False


@dataclass(frozen=True)
class Inferences(Bindings):
    """F of answers that require inference; its ratio to people's is PR_I.

    "The DARPA Machine Reading Program", section 3.3.
    """

    inferred: ClassVar[bool | None] = True


@dataclass(frozen=True)
class ProvenanceOverlap(Ratio):
    """Mean over right answers of the overlap of their excerpts with the gold's, in code points.

    Dice's coefficient; an answer without excerpts has none, and one whose quote is not at
    its place is none. Answers whose gold has no excerpts do not count.
    """

    mentions: str = parameter(
        "partial", choices=CREDITS, help="how entities that are named otherwise are aligned"
    )

    facts: ClassVar[MetricFacts] = replace(
        Ratio.facts, uncounted="no right answer, or none whose gold has an excerpt"
    )

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(sum of overlaps, right answers whose gold has excerpts)."""
        judged = judge(unit, references, answer, credit=self.mentions)
        found = [
            overlap(_standing(ours, gold, unit), gold.excerpts)
            for ours, gold, _ in judged.right
            if gold.excerpts
        ]
        return float(sum(found)), float(len(found))

    def signature(self) -> Mapping[str, str]:
        """What is compared."""
        return {
            "overlap": "dice of code points",
            "mentions": self.mentions,
            "units": "ratio of sums",
        }


def _standing(ours: Solution, gold: Solution, unit: Unit) -> list[Excerpt]:
    """The excerpts that read as they say; those of another document only where the gold has it."""
    others = {excerpt.document for excerpt in gold.excerpts} - {unit.group}
    return [
        excerpt
        for excerpt in ours.excerpts
        if excerpt.document in others
        or (excerpt.document == unit.group and excerpt_fault(excerpt, unit.record.text) is None)
    ]


@dataclass(frozen=True)
class Unjudged(Ratio):
    """Share of answers that are neither in the gold nor judged to be wrong or beyond the phase."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, best=0.0, worst=1.0)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(not judged, said)."""
        judged = judge(unit, references, answer, credit="partial")
        unjudged = len(judged.unjudged)
        return float(unjudged), float(unjudged + len(judged.wrong) + len(judged.right))

    def signature(self) -> Mapping[str, str]:
        """What is counted."""
        return {"units": "ratio of sums"}
