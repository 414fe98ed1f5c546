"""How diverse the questions of a test are: the twelve types, and how evenly they spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log2
from typing import Any

from readmark.core import numbers
from readmark.core.question_rules import RuleSettings
from readmark.text.questions.types import TYPES


def entropy(counts: Iterable[int]) -> float:
    """Shannon's entropy in bits ("A Mathematical Theory of Communication", 1948); 0 for nothing."""
    positive = [count for count in counts if count > 0]
    total = sum(positive)
    return sum(count / total * log2(total / count) for count in positive)


def evenness(counts: Iterable[int], classes: int) -> float | None:
    """Entropy as a share of that of equal classes; None for fewer than two classes.

    Pielou's evenness, "The Measurement of Diversity in Different Types of Biological Collections".
    """
    counts = list(counts)
    return entropy(counts) / log2(classes) if classes > 1 and any(counts) else None


def largest_share(counts: Iterable[int]) -> float | None:
    """The share of the largest class; None when nothing was counted."""
    counts = list(counts)
    total = sum(counts)
    return max(counts) / total if total else None


@dataclass(slots=True)
class TypeCounts:
    """Counts of question types, as the key names them, else by rule."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))

    def add(self, type: str, count: int = 1) -> None:
        """Count a question, or several."""
        self.counts[type] = self.counts.get(type, 0) + count

    @property
    def questions(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    def summary(self) -> Mapping[str, Any]:
        """Counts, entropy in bits, evenness over twelve types, and the largest type's share."""
        counts = self.counts.values()
        return {
            "counts": self.counts,
            "entropy": entropy(counts),
            "evenness": evenness(counts, len(TYPES)),
            "largest": max(self.counts, key=self.counts.__getitem__) if self.questions else None,
            "largest_share": largest_share(counts),
        }

    def line(self) -> str:
        """The types in one paragraph, the most frequent first."""
        share = largest_share(self.counts.values())
        if share is None:
            return "types: none given"
        ordered = sorted(self.counts.items(), key=lambda item: -item[1])
        listed = ", ".join(f"{type} {count:,}" for type, count in ordered if count)
        summary = self.summary()
        return (
            f"types: {listed}; entropy {numbers.decimal(summary['entropy'])} bits "
            f"(evenness {numbers.decimal(summary['evenness'])}), "
            f"largest {summary['largest']} {numbers.percent(share)}\n"
        )

    def missing(self, settings: RuleSettings) -> Iterator[str]:
        """What a test of enough questions should ask and never does."""
        if self.questions < settings["least"]:
            return
        absent = [name for name in settings["types"] if not self.counts.get(name)]
        if absent:
            yield f"no question of {self.questions} is of the type {', '.join(absent)}"
