"""The best no-answer threshold: which answers a candidate should rather have withheld.

SQuAD 2.0's script calls the marks at it best_exact and best_f1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from readmark.comprehension.profiles import default_profile
from readmark.core import numbers
from readmark.core.counts import counted
from readmark.core.records import Answer, BoundedCount, Number, Unit
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.statistics.grid import to_grid

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.hooks import Metric

NONE, SCORE = "none", "score"
"""What answers are ordered by: the score of there being no answer, or the answer's own score."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A metric's best mark, and the threshold that reaches it."""

    score: Number
    threshold: Number | None
    """None if it is best to withhold every answer."""
    withheld: BoundedCount
    """How many answers it withholds."""


@dataclass(frozen=True, slots=True)
class NoAnswerThresholds:
    """Each metric at the threshold that suits it best on this very test."""

    by: str
    units: BoundedCount
    answers: BoundedCount
    """How many answers in words there are."""
    marks: Mapping[str, Threshold]

    @staticmethod
    def counter(test: Test) -> WithheldGains | None:
        """A counter if some questions have no answer."""
        if not test.facts.count("unanswerable"):
            return None
        from readmark.comprehension.metrics.exact_match import ExactMatch
        from readmark.comprehension.metrics.f1 import F1

        # By CMRC 2018's rules an empty answer is never right: withholding could gain nothing.
        profile = "zh" if default_profile(test) == "cmrc2018" else None
        suffix = f"(profile={profile})" if profile else ""
        return WithheldGains(
            {
                f"em{suffix}": ExactMatch(profile=profile).resolve(test),
                f"f1{suffix}": F1(profile=profile).resolve(test),
            }
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def show(self, console: Console) -> None:
        """One line per metric."""
        score, side = ("a no-answer score", "above") if self.by == NONE else ("a score", "below")
        answers = counted(self.answers, "answer")
        console.print(f"best no-answer threshold, chosen on this test ({answers}):")
        for name, best in self.marks.items():
            withheld = (
                "all answers withheld"
                if best.threshold is None
                else f"answers with {score} {side} {best.threshold:g} withheld ({best.withheld:,})"
            )
            console.print(f"  {name} {numbers.mark(best.score, 100)}: {withheld}")


@dataclass(slots=True)
class WithheldGains:
    """Collects, for each answer, how doubtful it is and what it gains over giving none."""

    metrics: Mapping[str, Metric]
    _units: int = 0
    _bases: dict[str, float] = field(default_factory=dict)
    """By metric, the sum of scores if every answer were withheld."""
    _answers: list[tuple[float | None, float | None, Mapping[str, float]]] = field(
        default_factory=list
    )
    """The no-answer score, the answer's own score, and its gains by metric."""
    _repeated: bool = False

    def add(self, unit: Unit, references: Sequence[Sequence[Any]], rows: Sequence[Row]) -> None:
        """A unit; if the candidate gave no answer, it scores the same at every threshold."""
        self._units += bool(references)
        self._repeated |= len(rows) > 1
        if len(rows) != 1 or not rows[0].answered:
            return
        row = rows[0]
        gains = {}
        for name, metric in self.metrics.items():
            answered, withheld = (
                to_grid(metric.statistics(unit, references, Answer(text=text))[0])
                for text in (row.text, "")
            )
            self._bases[name] = self._bases.get(name, 0.0) + withheld
            gains[name] = answered - withheld
        if row.text.strip():
            none = row.evidence.get(NONE) if isinstance(row.evidence, dict) else None
            self._answers.append((_finite(none), _finite(row.score), gains))

    def counted(self) -> NoAnswerThresholds | None:
        """The thresholds; None if an answer has no score, or units were asked repeatedly."""
        if self._repeated or not self._answers:
            return None
        none_scores, scores, gains = zip(*self._answers, strict=True)
        by = NONE if None not in none_scores else SCORE
        doubts = none_scores
        if by == SCORE:  # the higher an answer's own score, the less it is in doubt
            doubts = tuple(None if score is None else -score for score in scores)
        if None in doubts:
            return None
        marks = {}
        for name in self.metrics:
            pairs = [(doubt, gain[name]) for doubt, gain in zip(doubts, gains, strict=True)]
            gain, threshold, answered = best_threshold(pairs)
            if threshold is not None and by == SCORE:
                threshold = -threshold
            score = 100 * (self._bases[name] + gain) / self._units
            marks[name] = Threshold(score, threshold, len(pairs) - answered)
        return NoAnswerThresholds(by, self._units, len(self._answers), marks)


def best_threshold(answers: Sequence[tuple[float, float]]) -> tuple[float, float | None, int]:
    """The greatest sum of gains that withholding the doubtful answers gives.

    Answers are pairs of doubt and gain. Those with a doubt above the threshold are withheld, so
    equal doubts are treated alike. Of equally good thresholds the lowest is taken. The threshold
    (None if every answer is withheld) and the number of answers that remain are returned too.
    """
    best, threshold, remaining = 0.0, None, 0
    total, count = 0.0, 0
    for doubt, equals in groupby(sorted(answers), key=lambda answer: answer[0]):
        for _, gain in equals:
            total += gain
            count += 1
        if total > best:
            best, threshold, remaining = total, doubt, count
    return best, threshold, remaining


def _finite(value: Any) -> float | None:
    """A number of a sitting, which may hold anything."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)
