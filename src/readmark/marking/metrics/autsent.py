"""AutSent: whether the answer is the sentence that recalls most of the key's words.

After "Deep Read: A Reading Comprehension System" (Hirschman et al., 1999): no person marks the
sentences, a routine finds the one with the highest recall against the answer key.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from readmark.corpus.values import Unit
from readmark.marking.metrics import parameter
from readmark.marking.metrics.bags import KnownBags
from readmark.marking.metrics.sentence import RightSentence
from readmark.text.answer_sentences import recalled


@dataclass
class AutSent(RightSentence):
    """A sentence with the highest recall, over every alternative of the key.

    ``ties=first`` has one right sentence; ``ties=any`` takes each of those that recall as much.
    """

    ties: str = parameter(
        "first", choices=("first", "any"), help="which of equal sentences are right"
    )

    uncounted: ClassVar[str] = "no word of the key in any sentence, or no content word in the key"

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """The sentences of the highest recall; none when no sentence recalls anything."""
        of = self._bags.of
        text = unit.record.text
        recalls = recalled(
            [of(one.text) for person in references for one in person],
            [of(text[start:end]) for start, end in self.sentences(unit)],
        )
        best = max(recalls, default=0.0)
        if not best:
            return frozenset()
        if self.ties == "first":
            return frozenset({recalls.index(best)})
        return frozenset(at for at, one in enumerate(recalls) if one == best)

    @functools.cached_property
    def _bags(self) -> KnownBags:
        return KnownBags(self.language)

    def signature(self) -> Mapping[str, str]:
        """How sentences are cut, how words are compared, and which of equals is taken."""
        return {**super().signature(), **self._bags.signature(), "ties": self.ties}
