"""What the metrics of answers to queries share: precision, recall and F over all answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from readmark.corpus.documents import Solution
from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import SHARE, Floats, parameter
from readmark.measures.judged_answers import judge
from readmark.measures.mention_classes import CREDITS

MEASURES = ("f", "precision", "recall")
UNJUDGED = ("annotation", "wrong", "left_out")


@dataclass(frozen=True)
class Bindings:
    """F of answers over all queries together: (1 + β²) P R / (β² P + R).

    A unit's vector is (credit, answers said, answers wanted, answers not judged). A right answer
    is of the gold's sort; one that is not in the gold is of the sort that it claims to be.
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

    scale: ClassVar[float] = 100.0
    width: ClassVar[int] = 4
    additive: ClassVar[bool] = True
    quantity: ClassVar[str] = SHARE
    plot: ClassVar[str] = "derivations"

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

    def counts(self, solution: Solution) -> bool:
        """Whether an answer, of the gold or a candidate's, is of the sort that is marked."""
        return True

    def resolve(self, test: Test) -> Self:
        """As it stands."""
        return self

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(credit, said, wanted, not judged)."""
        judged = judge(unit, references, answer, credit=self.mentions)
        right = [credit for _, gold, credit in judged.right if self.counts(gold)]
        wrong = sum(map(self.counts, judged.wrong))
        unjudged = sum(map(self.counts, judged.unjudged))
        taken = self.unjudged == "wrong" or (self.unjudged == "annotation" and judged.complete)
        said = len(right) + wrong + (unjudged if taken else 0)
        wanted = sum(map(self.counts, judged.wanted))
        return float(sum(right)), float(said), float(wanted), float(unjudged)

    def aggregate(self, sums: Floats) -> Floats:
        """The measure; F is 0 when there is something to find or something said, but no credit."""
        credit, said, wanted = (sums[..., at] for at in range(3))
        square = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.measure == "precision":
                return np.asarray(credit / said)
            if self.measure == "recall":
                return np.asarray(credit / wanted)
            return np.asarray((1 + square) * credit / (square * wanted + said))

    def provisional(self, rows: Floats) -> int:
        """How many answers nobody has judged: until they are, the mark is provisional."""
        return int(rows[:, 3].sum())

    def signature(self) -> Mapping[str, str]:
        """Everything that decides the number."""
        return {
            "answers": "one to one",
            "beta": f"{self.beta:g}",
            "measure": self.measure,
            "mentions": self.mentions,
            "unjudged": self.unjudged,
            "units": "ratio of sums",
        }
