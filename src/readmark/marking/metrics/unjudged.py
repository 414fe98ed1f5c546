"""How much of what was answered nobody has judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics.ratio import Ratio
from readmark.measures.judged_answers import judge


@dataclass(frozen=True)
class Unjudged(Ratio):
    """Share of answers that are neither in the gold nor judged to be wrong or beyond the phase."""

    lower_is_better: ClassVar[bool] = True
    ratio: ClassVar[bool] = False  # how much nobody judged is no quality to be divided

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
        """(not judged, said)."""
        judged = judge(unit, references, answer, credit="partial")
        unjudged = len(judged.unjudged)
        return float(unjudged), float(unjudged + len(judged.wrong) + len(judged.right))

    def signature(self) -> Mapping[str, str]:
        """What is counted."""
        return {"units": "ratio of sums"}
