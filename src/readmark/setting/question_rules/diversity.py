"""How diverse the questions of a test are: the twelve types, and how evenly they spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from readmark.measures.diversity import entropy, evenness, largest_share
from readmark.setting.question_rules.rule import Settings
from readmark.text.question_types import TYPES


@dataclass(slots=True)
class Types:
    """Counts of question types, as the key names them, else by rule."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))

    def add(self, type: str, count: int = 1) -> None:
        """Count a question, or several."""
        self.counts[type] = self.counts.get(type, 0) + count

    @property
    def questions(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    def summary(self) -> Mapping[str, object]:
        """Counts, entropy in bits, evenness over twelve types, and the largest type's share."""
        largest = max(self.counts, key=lambda one: self.counts[one])
        counts = self.counts.values()
        return {
            "counts": self.counts,
            "entropy": entropy(counts),
            "evenness": evenness(counts, len(TYPES)),
            "largest": largest if self.questions else None,
            "largest_share": largest_share(counts),
        }

    def missing(self, settings: Settings) -> Iterator[str]:
        """What a test of enough questions should ask and never does."""
        if self.questions < settings["least"]:
            return
        absent = [name for name in settings["types"] if not self.counts.get(name)]
        if absent:
            yield f"no question of {self.questions} is of the type {', '.join(absent)}"
