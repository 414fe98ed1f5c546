"""How long answers are beside the references: a ratio of sums, which is no mean of ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from readmark.hooks import MetricFacts, Unit, parameter

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LengthRatio:
    """Length of all answers over the length of all first references."""

    by: str = parameter("characters", choices=("characters", "words"), help="what is counted")

    facts: ClassVar[MetricFacts] = MetricFacts(kinds=("comprehension",), width=2)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """The length of the answer, none when there is none, and of the first reference."""
        said = "" if answer is None else answer.text
        return float(self._length(said)), float(self._length(references[0][0].text))

    def _length(self, text: str) -> int:
        return len(text.split()) if self.by == "words" else len(text)

    def aggregate(self, sums: Floats) -> Floats:
        """The ratio of the sums."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])

    def signature(self) -> Mapping[str, str]:
        """What is counted, and how units come together."""
        return {"lengths": self.by, "units": "ratio of sums"}
