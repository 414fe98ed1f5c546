"""Whether right answers were read where the gold says they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.corpus.documents import Excerpt, Solution, excerpt_fault
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import parameter
from readmark.marking.metrics.ratio import Ratio
from readmark.measures.excerpt_overlap import overlap
from readmark.measures.judged_answers import judge
from readmark.measures.mention_classes import CREDITS


@dataclass(frozen=True)
class Provenance(Ratio):
    """Mean over right answers of the overlap of their excerpts with the gold's, in code points.

    Dice's coefficient; an answer without excerpts has none, and one whose quote does not stand
    where it says is none. Answers whose gold has no excerpts do not count.
    """

    mentions: str = parameter(
        "partial", choices=CREDITS, help="how entities that are named otherwise are aligned"
    )

    uncounted: ClassVar[str] = "no right answer, or none whose gold has an excerpt"

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
    others = {one.document for one in gold.excerpts} - {unit.group}
    return [
        one
        for one in ours.excerpts
        if one.document in others
        or (one.document == unit.group and excerpt_fault(one, unit.record.text) is None)
    ]
