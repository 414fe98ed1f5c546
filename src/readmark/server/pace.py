"""How fast a project's work gets done: items a day, the expected end, seconds an item."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from statistics import median, quantiles

import numpy as np

from readmark.server.days import DAY
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import bootstrap

PACE_DAYS = 14
"""The days that the pace is made of, counted back from now."""
FEWEST_DAYS = 5
"""Days from which there is an expected end."""
CHART_DAYS = 30
"""Days of the chart, at most."""
FARTHEST = 3650
"""Days after which an end is no expectation."""
DRAWS, SEED, LEVEL = 1000, 1, 0.95


@dataclass(frozen=True)
class WorkPace:
    """Items handed in a day, and when the rest is done at that pace.

    The range is that of the days themselves, drawn again and again: the days to come are taken to
    be like those. ``latest`` is None where the pace may as well be nothing.
    """

    per_day: float
    low: float | None
    high: float | None
    """None where there is but one day."""
    days: int
    end: float | None = None
    earliest: float | None = None
    latest: float | None = None


def pace_of(handed_in: Sequence[float], left: int, now: float) -> WorkPace | None:
    """The pace of the last days of 24 hours, up to now; None where nothing was handed in."""
    ages = [int((now - moment) // DAY) for moment in handed_in if moment <= now]
    if not ages:
        return None
    days = min(PACE_DAYS, max(ages) + 1)
    counts = [0.0] * days
    for age in ages:
        if age < days:
            counts[age] += 1
    sums = np.array(counts)[:, None]
    draws = bootstrap(sums, lambda total: total[..., 0] / days, seed=SEED, draws=DRAWS)
    low, high = interval(draws, level=LEVEL)
    rate = sum(counts) / days
    pace = WorkPace(rate, low, high, days)
    if days < FEWEST_DAYS or not left:
        return pace
    return replace(
        pace,
        end=_end(now, left, rate),
        earliest=_end(now, left, high or 0.0),
        latest=_end(now, left, low or 0.0),
    )


def _end(now: float, left: int, rate: float) -> float | None:
    """When it is done; None if never, or later than anybody plans."""
    days = left / rate if rate > 0 else math.inf
    return None if days > FARTHEST else now + days * DAY


@dataclass(frozen=True)
class Speed:
    """The median of seconds for an item, and the middle half."""

    median: float
    lower: float
    upper: float
    items: int


def speed_of(seconds: Sequence[float]) -> Speed | None:
    """How long finished items took; None where there are none."""
    if not seconds:
        return None
    lower, upper = seconds[0], seconds[0]
    if len(seconds) > 1:
        lower, _, upper = quantiles(seconds, n=4, method="inclusive")
    return Speed(median(seconds), lower, upper, len(seconds))


@dataclass(frozen=True)
class DayCount:
    """How many items were handed in on a day (UTC)."""

    day: str
    count: int


def by_day(handed_in: Sequence[float], now: float) -> tuple[DayCount, ...]:
    """The items of each day since the first one, of the last month at most."""
    counts = Counter(day_of(moment) for moment in handed_in)
    if not counts:
        return ()
    today = day_of(now)
    first = max(min(counts), today - timedelta(days=CHART_DAYS - 1))
    days = (first + timedelta(days=n) for n in range((today - first).days + 1))
    return tuple(DayCount(day.isoformat(), counts[day]) for day in days)


def day_of(seconds: float) -> date:
    """The day in UTC, since a hall's people may sit anywhere."""
    return datetime.fromtimestamp(seconds, UTC).date()
