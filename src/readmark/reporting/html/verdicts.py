"""What became of a unit: right, partly right, wrong, unanswered, an error, or not sat at all."""

from __future__ import annotations

from enum import StrEnum

from readmark.corpus.marksheet import MarkedUnit
from readmark.reporting.html.recorded import Recorded

_CLOSE = 1e-6  # vectors lie on a grid, so that 1/3 + 2/3 may come a little short of 1


class Verdict(StrEnum):
    """A letter each, as the page's data has them."""

    RIGHT = "r"
    PARTLY = "p"
    WRONG = "w"
    UNANSWERED = "u"
    ERROR = "e"
    ANSWERED = "a"
    """Answered, by a metric that has no mark for a single unit."""
    NOT_SAT = "n"


def verdict(unit: MarkedUnit, value: float | None, metric: Recorded | None) -> Verdict:
    """The verdict on a unit, by the main metric's mark of it alone."""
    if any(row.error is not None for row in unit.answers):
        return Verdict.ERROR
    if not any(row.answered for row in unit.answers):
        return Verdict.UNANSWERED
    if value is None or metric is None:
        return Verdict.ANSWERED
    if abs(value - metric.best) <= _CLOSE:
        return Verdict.RIGHT
    return Verdict.WRONG if abs(value - metric.worst) <= _CLOSE else Verdict.PARTLY
