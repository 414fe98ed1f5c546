"""How far the excerpts of right answers overlap with the gold's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.hooks import MetricFacts
from readmark.marking import Ratio
from readmark.tasks.excerpt_overlap import overlap
from readmark.tasks.judgement import judge
from readmark.tasks.mention_classes import CREDITS
from readmark.tasks.records import Solution


@dataclass(frozen=True)
class ProvenanceOverlap(Ratio):
    """Mean over right answers of the overlap of their excerpts with the gold's, in code points.

    Dice's coefficient; an answer without excerpts has none, and an excerpt whose quote is not at
    its place is not counted. Answers whose gold has no excerpts do not count.
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
        overlaps = [
            overlap(_valid_excerpts(right.answer, right.gold, unit), right.gold.excerpts)
            for right in judged.right
            if right.gold.excerpts
        ]
        return float(sum(overlaps)), float(len(overlaps))

    def signature(self) -> Mapping[str, str]:
        """What is compared."""
        return {
            "overlap": "dice of code points",
            "mentions": self.mentions,
            "units": "ratio of sums",
        }


def _valid_excerpts(answer: Solution, gold: Solution, unit: Unit) -> list[Excerpt]:
    """The excerpts whose quote is at its place, and those of other documents that the gold cites.

    A unit has the text of its own document only, so the quotes of others cannot be checked.
    """
    other_documents = {excerpt.document for excerpt in gold.excerpts} - {unit.group}
    return [
        excerpt
        for excerpt in answer.excerpts
        if excerpt.document in other_documents
        or (excerpt.document == unit.group and excerpt_fault(excerpt, unit.record.text) is None)
    ]
