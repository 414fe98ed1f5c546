"""The best no-answer threshold: which answers a candidate should rather have left out.

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
from readmark.core.records import Answer, Count, Number, Unit
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.statistics.grid import to_grid

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.hooks import Metric

NONE, SCORE = "none", "score"
"""What answers are ordered by: the score of there being none, or the answer's own score."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The best mark, and where it is reached."""

    score: Number
    threshold: Number | None
    """None where the best is to withhold every answer."""
    withheld: Count
    """How many answers it withholds."""


@dataclass(frozen=True, slots=True)
class NoAnswerThresholds:
    """Each metric at the threshold that suits it best on this very test."""

    by: str
    units: Count
    answers: Count
    """How many answers in words there are."""
    marks: Mapping[str, Threshold]

    @staticmethod
    def counter(test: Test) -> AnswerDoubts | None:
        """A counter where some questions have no answer."""
        if not test.facts.count("unanswerable"):
            return None
        from readmark.comprehension.metrics.exact_match import ExactMatch
        from readmark.comprehension.metrics.f1 import F1

        # By CMRC 2018's rules an empty answer is never right, so that nothing could be withheld.
        profile = "zh" if default_profile(test) == "cmrc2018" else None
        suffix = f"(profile={profile})" if profile else ""
        return AnswerDoubts(
            {
                f"em{suffix}": ExactMatch(profile=profile).resolve(test),
                f"f1{suffix}": F1(profile=profile).resolve(test),
            }
        )

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)

    def show(self, console: Console) -> None:
        """One line per metric."""
        worse = "above" if self.by == NONE else "below"
        what = "a no-answer score" if self.by == NONE else "a score"
        answers = counted(self.answers, "answer")
        console.print(f"best no-answer threshold, chosen on this test ({answers}):")
        for name, best in self.marks.items():
            where = (
                "all answers withheld"
                if best.threshold is None
                else f"answers with {what} {worse} {best.threshold:g} withheld ({best.withheld:,})"
            )
            console.print(f"  {name} {numbers.mark(best.score, 100)}: {where}")


@dataclass(slots=True)
class AnswerDoubts:
    """Takes answers one by one: how doubtful each is, and what it gains against giving none."""

    metrics: Mapping[str, Metric]
    _units: int = 0
    _bases: dict[str, float] = field(default_factory=dict)
    _answers: list[tuple[float | None, float | None, Mapping[str, float]]] = field(
        default_factory=list
    )
    _repeated: bool = False

    def add(self, unit: Unit, references: Sequence[Sequence[Any]], rows: Sequence[Row]) -> None:
        """A unit; one without an answer is worth the same at every threshold."""
        self._units += bool(references)
        self._repeated |= len(rows) > 1
        if len(rows) != 1 or not rows[0].answered:
            return
        row = rows[0]
        text = row.text
        given, withheld = (
            {
                name: to_grid(metric.statistics(unit, references, Answer(text=answer))[0])
                for name, metric in self.metrics.items()
            }
            for answer in (text, "")
        )
        for name, value in withheld.items():
            self._bases[name] = self._bases.get(name, 0.0) + value
        if text.strip():
            gains = {name: given[name] - withheld[name] for name in given}
            none = row.evidence.get(NONE) if isinstance(row.evidence, dict) else None
            self._answers.append((_number(none), _number(row.score), gains))

    def counted(self) -> NoAnswerThresholds | None:
        """The thresholds; None where not every answer has a score, or units were asked twice."""
        if self._repeated or not self._answers:
            return None
        nones, scores, gains = zip(*self._answers, strict=True)
        by = NONE if None not in nones else SCORE
        doubts = nones if by == NONE else [None if score is None else -score for score in scores]
        if None in doubts:
            return None
        marks = {}
        for name in self.metrics:
            pairs = [(doubt, gain[name]) for doubt, gain in zip(doubts, gains, strict=True)]
            gain, threshold, kept = best_threshold(pairs)
            score = 100 * (self._bases[name] + gain) / self._units
            if threshold is not None and by == SCORE:
                threshold = -threshold
            marks[name] = Threshold(score, threshold, len(pairs) - kept)
        return NoAnswerThresholds(by, self._units, len(self._answers), marks)


def best_threshold(answers: Sequence[tuple[float, float]]) -> tuple[float, float | None, int]:
    """The greatest sum of gains that withholding the doubtful answers gives.

    Answers are pairs of doubt and gain. Those with a doubt above the threshold are withheld, so
    equal doubts are withheld alike. Of equally good thresholds it is the lowest. Also returns the
    threshold, None where nothing is to be kept, and how many answers are kept.
    """
    best, threshold, best_kept = 0.0, None, 0
    total, kept = 0.0, 0
    for doubt, alike in groupby(sorted(answers), key=lambda answer: answer[0]):
        for _, gain in alike:
            total += gain
            kept += 1
        if total > best:
            best, threshold, best_kept = total, doubt, kept
    return best, threshold, best_kept


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)
