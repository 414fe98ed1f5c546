"""Days that forms name begin and end at midnight in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from readmark.server.days import end_of_day, start_of_day


@pytest.mark.parametrize(
    ("day", "start"),
    [
        (date(2026, 3, 29), datetime(2026, 3, 29, tzinfo=UTC)),
        (date.max, datetime(9999, 12, 31, tzinfo=UTC)),  # there is no day after this one
    ],
)
def test_a_day_ends_a_second_before_the_next_one(day: date, start: datetime) -> None:
    assert start_of_day(day) == start.timestamp()
    assert end_of_day(day) == start.timestamp() + 24 * 3600 - 1
