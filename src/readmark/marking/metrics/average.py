"""The average of EM and F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.values import Unit
from readmark.marking.metrics.f1 import F1
from readmark.marking.profiles import Profile


@dataclass(frozen=True)
class Average(F1):
    """Half EM, half F1, each at its own best reference: what CMRC 2018's leaderboard ranks by."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """The two bests may be at different references, as on the leaderboard."""
        if answer is None:
            return 0.0, 1.0
        rules: Profile = self.rules()
        texts = rules.references([one.text for person in references for one in person])
        said = self.said(answer)
        em = max((rules.em(text, said) for text in texts), default=0.0)
        f1 = max((rules.f1(text, said) for text in texts), default=0.0)
        return (em + f1) / 2, 1.0

    def signature(self) -> Mapping[str, str]:
        """As F1, and what is averaged."""
        return {**super().signature(), "average": "em,f1"}
