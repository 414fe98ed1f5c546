"""Days: in seconds, and as forms name them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

DAY = 86_400
"""Seconds."""


def end_of_day(day: date) -> float:
    """The last second of a day that a form names, in UTC."""
    following = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return following.timestamp() - 1
