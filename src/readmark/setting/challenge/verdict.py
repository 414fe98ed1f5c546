"""The verdict on a question: which of CMRC 2018's criteria for its challenge set it fails, and why.

"A Chinese Span-Extraction Dataset for Machine Reading Comprehension", section 2.4: a short answer
is not deduced from a single sentence; it is not the only one of its class; three annotators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from readmark.corpus.values import Offsets, Passage, Question
from readmark.setting.challenge.instances import Instance

CRITERIA = ("single_sentence", "only_instance", "annotators")
"""The document's: one sentence is enough, nothing else of its class, too few people."""

WORDS = {
    "no_answer": "no answer stands in the passage",
    "single_sentence": "one sentence gives the answer",
    "long_answer": "a longer answer that one sentence gives, not taken",
    "only_instance": "the answer is the only one of its class",
    "annotators": "too few people answered",
}
"""What a question fails by, in the order of judging; ``long_answer`` only where longer answers
must need several sentences as well, which the document does not ask."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of a question, and which criteria it fails."""

    question: Question
    passage: Passage
    answer: str
    fails: tuple[str, ...]
    why: tuple[str, ...]
    """A line a criterion that was judged."""
    sentences: tuple[Offsets, ...] = ()
    """The sentence with the answer and those to join with it, where one is not enough."""
    kind: str | None = None
    """The class of the answer."""
    others: tuple[Instance, ...] = ()
    """The other instances of it in the passage."""
    covered: float | None = None
    """The share of the question that the best sentence with the answer has."""
    level: int | None = None
    """SMART's level, where that was asked for."""
    annotators: int = 0

    @property
    def found(self) -> bool:
        """Whether the question itself meets the criteria, however many have answered it."""
        return not set(self.fails) - {"annotators"}

    def record(self) -> dict[str, Any]:
        """What a file keeps of it."""
        return {
            "fails": list(self.fails),
            "why": list(self.why),
            "sentences": [list(one) for one in self.sentences],
            "class": self.kind,
            "others": [[one.text, one.start, one.end] for one in self.others],
            "covered": None if self.covered is None else round(self.covered, 3),
            "level": self.level,
            "annotators": self.annotators,
        }
