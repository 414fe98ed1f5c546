"""Waiting, rates, prices and budgets, worked by hand."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.core.spent import Usage
from readmark.core.traffic import Price, Purse, Traffic
from readmark.llm.traffic import Budget, Rate, backoff, retry_after


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("Sun, 15 Nov 2026 12:00:30 GMT", 30.0),
        ("Sun, 15 Nov 2026 11:00:00 GMT", 0.0),
        ("-4", 0.0),
        ("soon", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(said: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 15, 12, tzinfo=UTC)
    assert retry_after({"Retry-After": said}, now) == seconds


def test_waits_double_up_to_a_minute() -> None:
    draw = random.Random(4)
    for attempt, bound in ((1, 1.0), (3, 4.0), (6, 32.0), (20, 60.0)):
        waits = [backoff(attempt, draw) for _ in range(300)]
        assert 0 <= min(waits) < 0.1 * bound
        assert 0.9 * bound < max(waits) <= bound


def test_a_rate_lets_a_second_s_worth_go_and_then_one_by_one() -> None:
    now = [0.0]
    rate = Rate(120, clock=lambda: now[0])
    assert [rate.wait_for(1) for _ in range(4)] == [0.0, 0.0, 0.5, 1.0]
    now[0] = 10.0
    assert [rate.wait_for(1) for _ in range(3)] == [0.0, 0.0, 0.5]
    rate.give_back(1)
    assert rate.wait_for(1) == 0.5
    assert Rate(None).wait_for(1e9) == 0.0


def test_a_budget_counts_what_is_under_way() -> None:
    budget = Budget(Traffic(max_tokens_total=100), None)
    first = budget.reserve(Usage(30, 30))
    assert first is not None
    assert budget.reserve(Usage(30, 30)) is None
    budget.settle(first, Usage(20, 10))
    assert budget.used.total == 30
    second = budget.reserve(Usage(40, 30))
    assert second is not None
    budget.settle(second, Usage(counted=False))
    assert budget.used.total == 100
    assert not budget.pending
    assert budget.stop(Usage(1, 0)) == "one more request may exceed the total limit of 100 tokens"
    assert budget.stopped == (
        "stopped by the total limit of 100 tokens: 100 spent in this sitting, earlier runs "
        "included, and one more request may take up to 1"
    )


@pytest.mark.parametrize(
    ("traffic", "stopped"),
    [
        (
            {"max_cost": 0.002},
            "stopped by the limit of 0.002 USD: 0.001 spent in this run, and one more request may "
            "take up to 0.0015",
        ),
        (
            {"max_cost_total": 0.005},
            "stopped by the total limit of 0.005 USD: 0.004 spent in this sitting, earlier runs "
            "included, and one more request may take up to 0.0015",
        ),
        (
            {"max_tokens_total": 1400},
            "stopped by the total limit of 1,400 tokens: 1,200 spent in this sitting, earlier "
            "runs included, and one more request may take up to 400",
        ),
        ({"max_cost": 0.0025}, None),
        ({"max_cost_total": 0.0055, "max_tokens_total": 1600}, None),
    ],
)
def test_a_limit_on_a_run_and_one_on_the_total(
    traffic: dict[str, Any], stopped: str | None
) -> None:
    """Earlier runs took 900 tokens for 0.003; this one took 300 for 0.001, and 400 are wanted."""
    budget = Budget(Traffic(**traffic), Price(2.5, 5.0))
    budget.resume(900, 0.003)
    receipt = budget.reserve(Usage(200, 100))
    assert receipt is not None
    budget.settle(receipt, Usage(200, 100))
    more = Usage(200, 200)
    assert (budget.reserve(more) is None) == (stopped is not None)
    if stopped is not None:
        budget.stop(more)
    assert budget.stopped == stopped


def test_a_budget_in_money() -> None:
    price = Price(2.0, 10.0)
    assert price.of(Usage(1_000_000, 500_000)) == 7.0
    budget = Budget(Traffic(max_cost=0.001), price)
    receipt = budget.reserve(Usage(250, 50))
    assert receipt is not None
    budget.settle(receipt, Usage(250, 50))
    assert budget.cost == pytest.approx(0.001)
    assert budget.reserve(Usage(1, 0)) is None


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9), st.booleans()), max_size=30))
def test_a_budget_is_the_sum_of_what_was_spent_and_what_is_held(
    asked: list[tuple[int, int, bool]],
) -> None:
    """Beside sums over everything; the oldest comes back whenever a request asks for it."""
    budget = Budget(Traffic(max_tokens_total=100, max_cost=250e-6), Price(1.0, 3.0))
    held: dict[int, Usage] = {}
    spent = Usage()
    for size, output, back in asked:
        if back and held:
            receipt, most = next(iter(held.items()))
            used = Usage(most.input // 2, most.output)
            budget.settle(receipt, used)
            del held[receipt]
            spent = spent.plus(used)
        most = Usage(size, output)
        whole = [spent, most, *held.values()]
        tokens = sum(one.total for one in whole)
        cost = sum(one.input + 3 * one.output for one in whole)
        got = budget.reserve(most)
        if cost != 250:  # there the last bit of a float decides
            assert (got is not None) == (tokens <= 100 and cost < 250)
        if got is not None:
            held[got] = most
    assert budget.used == spent
    assert budget.pending == bool(held)


def test_models_of_one_run_share_its_limit() -> None:
    """Of 0.010 for both the first has 0.004 in flight and the second has spent 0.005."""
    purse = Purse()
    traffic = Traffic(max_cost=0.010, purse=purse)
    cheap, dear = Budget(traffic, Price(1.0, 2.0)), Budget(traffic, Price(5.0, 10.0))
    assert cheap.reserve(Usage(2000, 1000)) is not None
    receipt = dear.reserve(Usage(400, 300))
    assert receipt is not None
    dear.settle(receipt, Usage(400, 300))
    assert (cheap.cost, dear.cost, purse.cost) == (0.0, pytest.approx(0.005), dear.cost)
    assert dear.reserve(Usage(300, 0)) is None
    assert cheap.reserve(Usage(900, 0)) is not None
    with pytest.raises(UsageError, match="counts in USD, and a model's price is in EUR"):
        Budget(traffic, Price(1.0, 1.0, "EUR"))


def test_a_limit_on_cost_needs_a_price() -> None:
    with pytest.raises(UsageError, match="a limit on cost needs the price of qwen: set price in"):
        Budget(Traffic(max_cost=1.0), None, "qwen")


def test_what_is_asked_for_comes_before_the_section_of_the_model() -> None:
    asked = Traffic(parallel=2, cache="")
    section = Traffic(parallel=4, timeout=30, cache="c.sqlite")
    assert asked.over(section) == Traffic(parallel=2, timeout=30, cache="")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"parallel": 0}, "`parallel` 0 is less than 1"),
        ({"attempts": 0}, "`attempts` 0 is less than 1"),
        ({"timeout": float("nan")}, "`timeout` nan"),
        ({"max_tokens_total": -5}, "`max_tokens_total` -5"),
    ],
)
def test_traffic_that_cannot_be(given: dict[str, float], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Traffic(**given)  # type: ignore[arg-type]
