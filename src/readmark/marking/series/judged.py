"""Every rewrite of a sitting, judged: its scores, its nearest gold and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from readmark.marking.series.failures import FAILURES, PERFECT, Failure

BINS = 20
"""Of the distribution from 0 to 1; the last one has 1 in it."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One question, what became of it, and what should have."""

    id: str
    series: str
    target: str
    question: str
    previous: tuple[str, ...]
    rewrite: str | None
    """None where the rewriter gave none, or an error."""
    gold: str
    """The nearest one."""
    golds: tuple[str, ...]
    score: float
    marks: Mapping[str, float | None]
    """Every metric's, by name."""
    failure: Failure


@dataclass(frozen=True, slots=True)
class Worse:
    """A question that a sitting does worse on than an earlier one."""

    id: str
    target: str
    question: str
    gold: str
    before: float
    after: float
    rewrite_before: str | None
    rewrite: str | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A sitting, question by question."""

    series: str
    candidate: str
    metric: str
    rewrites: Sequence[Rewrite]
    """In the order of the test."""
    baseline: str | None = None
    before: Mapping[str, float] | None = None
    """The baseline's score of every question that both were asked."""
    worse: Sequence[Worse] = ()
    """The largest loss first."""
    better: int = 0
    signature: str = ""
    """What decided the scores."""
    unanswered: Sequence[str] = ()
    """Questions without a rewrite, which count as wrong, as errors do."""
    errors: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def mean(self) -> float:
        """The mark."""
        return sum(one.score for one in self.rewrites) / len(self.rewrites)

    def worst(self, failure: str | None = None) -> list[Rewrite]:
        """What is not perfect, the worst first; ties in the order of the test."""
        found = [one for one in self.rewrites if one.failure.name != PERFECT]
        if failure is not None:
            found = [one for one in found if one.failure.name == failure]
        return sorted(found, key=lambda one: one.score)

    def groups(self) -> dict[str, tuple[int, float]]:
        """How many questions fail in each way, and their mean score; perfect ones first."""
        found = {}
        for name in (PERFECT, *FAILURES):
            scores = [one.score for one in self.rewrites if one.failure.name == name]
            if scores:
                found[name] = len(scores), sum(scores) / len(scores)
        return found

    def distribution(self) -> list[int]:
        """How many questions score in each of the bins."""
        return distribution([one.score for one in self.rewrites])

    def as_json(self) -> dict[str, Any]:
        """One document, with every question that is not perfect."""
        document: dict[str, Any] = {
            "series": self.series,
            "candidate": self.candidate,
            "metric": self.metric,
            "signature": self.signature,
            "questions": len(self.rewrites),
            "unanswered": list(self.unanswered),
            "errors": list(self.errors),
            "mean": self.mean,
            "distribution": {"bins": BINS, "counts": self.distribution()},
            "failures": {
                name: {"questions": count, "mean": mean}
                for name, (count, mean) in self.groups().items()
            },
            "worst": [asdict(one) for one in self.worst()],
        }
        if self.baseline is not None:
            document["baseline"] = {
                "candidate": self.baseline,
                "questions": len(self.before or {}),
                "better": self.better,
                "worse": [asdict(one) for one in self.worse],
            }
        return document


def distribution(scores: Sequence[float]) -> list[int]:
    """How many scores lie in each of the bins; a bin has its lower bound, the last one also 1."""
    # 1e-9: a score of 0.15 may be kept as 0.1499999.
    at = Counter(min(max(int(score * BINS + 1e-9), 0), BINS - 1) for score in scores)
    return [at[bin] for bin in range(BINS)]
