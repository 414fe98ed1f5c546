"""How requests are sent: the budget, the rate, and how long to wait before another try."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from readmark.core import numbers
from readmark.core.configuration import configuration
from readmark.core.configuration_sections import ModelSettings
from readmark.core.errors import UsageError
from readmark.core.spent import Usage
from readmark.core.traffic import Price, Purse, Traffic, run_purse

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0


class Budget:
    """What a model may still spend; requests in flight count with the most that they can take.

    Models of one run share a purse: each counts its own, and the limits are on the sum.
    """

    def __init__(self, traffic: Traffic, price: Price | None, model: str = "the model") -> None:
        self.price = price
        self.used = Usage()
        """Tokens of this model in this run."""
        self.cost = 0.0
        self.stopped: str | None = None
        """Which limit stopped the run, and what was spent by then."""
        self._traffic = traffic
        self._purse = traffic.purse or Purse()
        self._reserved: dict[int, Usage] = {}
        for name in ("max_cost", "max_cost_total"):
            if getattr(traffic, name) is not None:
                if price is None:
                    raise UsageError(
                        f"a limit on cost needs the price of {model}: set price in its "
                        "[models.NAME] of readmark.toml"
                    )
                self._purse.agree_on(price.currency)

    def resume(self, tokens: int, cost: float) -> None:
        """What earlier runs took, for the limits on the total."""
        self._purse.tokens_before += tokens
        self._purse.cost_before += cost

    def reserve(self, most: Usage) -> int | None:
        """A receipt for a request that takes ``most`` at the most; None when that is too much."""
        purse = self._purse
        with purse.lock:
            if self._exceeded(most, reserved=True) is not None:
                return None
            receipt = next(purse.receipts)
            purse.reserved[receipt] = most.total, self._cost(most)
        self._reserved[receipt] = most
        return receipt

    def settle(self, receipt: int, used: Usage | None) -> None:
        """A request has come back, or will not."""
        most = self._reserved.pop(receipt)
        spent = Usage() if used is None else used if used.counted else most
        self.used = Usage(self.used.input + spent.input, self.used.output + spent.output)
        self.cost += self._cost(spent)
        purse = self._purse
        with purse.lock:
            del purse.reserved[receipt]
            purse.tokens += spent.total
            purse.cost += self._cost(spent)

    @property
    def pending(self) -> bool:
        """Whether some of it may come free."""
        return bool(self._purse.reserved)

    def stop(self, most: Usage) -> str:
        """The limit that a request may exceed; what was spent so far is noted once."""
        limit = self._exceeded(most)
        if limit is None:
            return ""
        name, allowed, spent, needed, unit, when = limit
        if self.stopped is None:
            self.stopped = (
                f"stopped by the {name} of {_amount(allowed)} {unit}: {_amount(spent)} spent "
                f"{when}, and one more request may take up to {_amount(needed)}"
            )
        return f"one more request may exceed the {name} of {_amount(allowed)} {unit}"

    def _exceeded(
        self, more: Usage, *, reserved: bool = False
    ) -> tuple[str, float, float, float, str, str] | None:
        """The first limit that this much more would exceed, and by what figures."""
        traffic, purse = self._traffic, self._purse
        in_flight = list(purse.reserved.values()) if reserved else []
        tokens = more.total + sum(tokens for tokens, _ in in_flight)
        cost = self._cost(more) + sum(cost for _, cost in in_flight)
        currency = self.price.currency if self.price is not None else ""
        run, total = "in this run", "in this sitting, earlier runs included"
        limits: tuple[tuple[str, float | None, float, float, str, str], ...] = (
            ("limit", traffic.max_cost, purse.cost, cost, currency, run),
            (
                "total limit",
                traffic.max_cost_total,
                purse.cost_before + purse.cost,
                cost,
                currency,
                total,
            ),
            ("limit", traffic.max_tokens, purse.tokens, tokens, "tokens", run),
            (
                "total limit",
                traffic.max_tokens_total,
                purse.tokens_before + purse.tokens,
                tokens,
                "tokens",
                total,
            ),
        )
        for name, allowed, spent, needed, unit, when in limits:
            if allowed is not None and spent + needed > allowed:
                return name, allowed, spent, needed, unit, when
        return None

    def _cost(self, usage: Usage) -> float:
        return self.price.of(usage) if self.price is not None else 0.0


def traffic_in_force(options: Traffic | None, model: ModelSettings | None) -> Traffic:
    """The options, then the section of the model, then the limits of the configuration."""
    traffic = options or Traffic()
    if model is not None:
        traffic = traffic.over(model.traffic)
    return traffic.over(configuration().limits.traffic).over(Traffic(purse=run_purse()))


def _amount(value: float) -> str:
    """Tokens as they are counted, money with as many places as it needs."""
    if isinstance(value, int):
        return f"{value:,}"
    if value >= 0.0001 or not value:
        return numbers.significant(value)
    return numbers.decimal(value, 6)


class Rate:
    """So much a minute, evenly: a bucket that fills as time goes by."""

    def __init__(self, a_minute: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = None if a_minute is None else a_minute / 60
        self._most = 0.0 if a_minute is None else max(1.0, a_minute / 60)
        self._clock = clock
        self._level, self._since = self._most, clock()

    def wait_for(self, amount: float) -> float:
        """Take an amount; how long to wait before it may be used."""
        if self._a_second is None:
            return 0.0
        now = self._clock()
        self._level = min(self._most, self._level + (now - self._since) * self._a_second)
        self._since = now
        self._level -= amount
        return max(0.0, -self._level / self._a_second)

    def give_back(self, amount: float) -> None:
        """Less was used than was taken."""
        self._level = min(self._most, self._level + amount)

    async def take(self, amount: float) -> None:
        """Wait until an amount may go."""
        wait = self.wait_for(amount)
        if wait > 0:
            await asyncio.sleep(wait)


def backoff(attempt: int, draw: random.Random) -> float:
    """How long to wait after an attempt: anything up to a bound that doubles ("full jitter")."""
    return draw.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2**attempt))


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """What a server asks for in Retry-After: seconds, or a date."""
    value = headers.get("Retry-After", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(value)
        except ValueError:
            return None
        date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
        seconds = (date - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else None
