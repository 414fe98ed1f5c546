"""The rate rises, then falls to nothing, by steps or by the clock."""

import pytest

from readmark.comprehension.span.pace import Pace


def test_the_rate_rises_and_falls_by_steps() -> None:
    pace = Pace(12, warmup=0.17)
    assert [pace.share(step) for step in (0, 1, 2, 7, 12)] == pytest.approx([0.5, 1, 1, 0.5, 0])
    assert not pace.is_up()


def test_the_clock_may_be_ahead_of_the_steps() -> None:
    now = 100.0
    pace = Pace(1000, warmup=0.1, minutes=2, clock=lambda: now)
    assert pace.share(99) == 1
    now += 66  # 55% of the time: half of what follows the rise
    assert pace.share(99) == pytest.approx(0.5)
    assert pace.share(820) == pytest.approx(0.2)
    assert not pace.is_up()
    now += 54
    assert pace.is_up()
    assert pace.share(99) == 0


def test_time_before_a_break_counts() -> None:
    now = 0.0
    pace = Pace(10, warmup=0.1, minutes=1, spent=45, clock=lambda: now)
    assert not pace.is_up()
    now += 15
    assert pace.is_up()
