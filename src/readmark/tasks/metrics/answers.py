"""Precision, recall and F of answers over all queries: of facts, of inferences, and of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.test import Test
from readmark.hooks import MetricFacts, MetricReport
from readmark.tasks.judgement import is_inference, judge, others_are_inferences
from readmark.tasks.mention_classes import CREDITS
from readmark.tasks.records import ROLE, Solution

MEASURES = ("f", "precision", "recall")
UNJUDGED = ("annotation", "wrong", "left_out")


@dataclass(frozen=True)
class Answers:
    """F of all answers, over all queries together: (1 + β²) P R / (β² P + R).

    A unit's vector is (credit, answers given, answers in the gold, answers not judged). A right
    answer is of the gold's sort; of the others, the gold and the property's role decide.
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
    """How the test's queries are annotated: completely, incompletely, or both."""

    facts: ClassVar[MetricFacts] = MetricFacts(scale=100.0, width=4, quantity="share")
    inferred: ClassVar[bool | None] = None
    """The sort of answers that is marked: inferences, facts, or both."""

    def __post_init__(self) -> None:
        if not 0 < self.beta < float("inf"):
            raise UsageError(f"beta is {self.beta:g}, expected a number above 0")
        for name, value, choices in (
            ("measure", self.measure, MEASURES),
            ("mentions", self.mentions, CREDITS),
            ("unjudged", self.unjudged, UNJUDGED),
        ):
            if value not in choices:
                raise UsageError(f"{name} is {value!r}, expected one of {', '.join(choices)}")

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
        """(credit, given, in the gold, not judged)."""
        judged = judge(unit, references, answer, credit=self.mentions)
        role = unit.item.fields.get(ROLE)

        def counts(solution: Solution) -> bool:
            return self.inferred in (None, is_inference(solution, role))

        credits = [right.credit for right in judged.right if counts(right.gold)]
        wrong, unjudged = len(judged.wrong), len(judged.unjudged)
        if (
            self.inferred is not None
            and (wrong or unjudged)
            and others_are_inferences(unit, judged.gold) != self.inferred
        ):
            wrong = unjudged = 0
        unjudged_are_wrong = self.unjudged == "wrong" or (
            self.unjudged == "annotation" and judged.complete
        )
        given = len(credits) + wrong + (unjudged if unjudged_are_wrong else 0)
        gold = sum(map(counts, judged.gold))
        return float(sum(credits)), float(given), float(gold), float(unjudged)

    def aggregate(self, sums: Floats) -> Floats:
        """The measure; F is 0 when there is something to find or to judge, but no credit."""
        credit, given, gold = (sums[..., index] for index in range(3))
        square = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.measure == "precision":
                return np.asarray(credit / given)
            if self.measure == "recall":
                return np.asarray(credit / gold)
            return np.asarray((1 + square) * credit / (square * gold + given))

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
class StatedAnswers(Answers):
    """F of answers stated directly in text; its ratio to people's is PR_F.

    "The DARPA Machine Reading Program", section 3.3.
    """

    inferred: ClassVar[bool | None] = False


@dataclass(frozen=True)
class Inferences(Answers):
    """F of answers that require inference; its ratio to people's is PR_I.

    "The DARPA Machine Reading Program", section 3.3.
    """

    inferred: ClassVar[bool | None] = True
