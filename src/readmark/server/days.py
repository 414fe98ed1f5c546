"""Days: in seconds, and as forms name them."""

from __future__ import annotations

from datetime import UTC, date, datetime

DAY = 86_400
"""Seconds."""


def start_of_day(day: date) -> float:
    """The first second of a day that a form names, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def end_of_day(day: date) -> float:
    """The last second of a day that a form names, in UTC."""
    return start_of_day(day) + DAY - 1
