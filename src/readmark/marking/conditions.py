"""Conditions on marks that a user sets: a metric's score, or the low end of its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core import numbers
from readmark.core.errors import UsageError
from readmark.hooks import Metric
from readmark.marking.marks import Mark
from readmark.marking.metrics import METRICS, lower_is_better, short_name

LOW = ".low"
_OFF = 1e-6
"""Vectors are rounded to multiples of 2^-30, so a mark may lie this little under its true value."""


@dataclass(frozen=True, slots=True)
class Condition:
    """``f1=70``: the score is 70 or more; ``f1.low=70``: so is the low end of its interval."""

    metric: str
    is_on_low_end: bool
    least: float

    @classmethod
    def read(cls, text: str, metrics: Mapping[str, Metric]) -> Condition:
        """A condition on one of the metrics that are marked."""
        what, equals, least = text.rpartition("=")
        name = what.strip().removesuffix(LOW)
        try:
            number = float(least)
        except ValueError:
            number = math.nan
        if not equals or not math.isfinite(number):
            raise UsageError(f"`fail_under` {text!r} is not METRIC=NUMBER or METRIC.low=NUMBER")
        canonical = short_name(*METRICS.build(name))
        if canonical not in metrics:
            marked = ", ".join(metrics)
            raise UsageError(f"`fail_under` {text!r}: {canonical} is not marked; marked: {marked}")
        if lower_is_better(metrics[canonical]):
            raise UsageError(f"`fail_under` {text!r}: lower marks are better in {canonical}")
        least_mark = int(number) if number.is_integer() else number
        return cls(canonical, is_on_low_end=name != what.strip(), least=least_mark)

    def failure(self, marks: Mapping[str, Mark]) -> str | None:
        """What is wrong with the marks, in words; None where the condition is met."""
        mark = marks[self.metric]
        value = mark.low if self.is_on_low_end else mark.score
        what = f"the low end of {self.metric}" if self.is_on_low_end else self.metric
        if value is None:
            return f"condition not met: {what} is undefined, expected at least {self.least!r}"
        if value >= self.least - _OFF:
            return None
        figure = numbers.mark(value, mark.scale)
        if float(figure) >= self.least:  # rounding would say that the condition is met
            figure = numbers.decimal(value, 6)
        return f"condition not met: {what} is {figure}, expected at least {self.least!r}"


def read_conditions(
    texts: Sequence[str] | str, metrics: Mapping[str, Metric]
) -> Sequence[Condition]:
    """Conditions as ``--fail-under`` takes them."""
    return [
        Condition.read(text, metrics) for text in ([texts] if isinstance(texts, str) else texts)
    ]


def unmet(conditions: Sequence[Condition], marks: Mapping[str, Mark]) -> list[str]:
    """The conditions that marks do not meet, in words."""
    failures = (condition.failure(marks) for condition in conditions)
    return [line for line in failures if line is not None]
