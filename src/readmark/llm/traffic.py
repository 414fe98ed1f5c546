"""How requests are sent: prices and the budget, rates, and how long to wait before another try."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from readmark.core import numbers
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Usage
from readmark.core.traffic import Traffic

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a million tokens cost each way."""

    input: float
    output: float
    currency: str = "USD"

    def of(self, usage: Usage) -> float:
        """The cost of a request."""
        return (usage.input * self.input + usage.output * self.output) / 1e6


def read_prices(path: str, model: str) -> Price:
    """A model's price from a table in TOML or JSON: ``[model] input = 0.15, output = 0.6``."""
    file = Path(path)
    try:
        data = file.read_bytes()
        text = data.decode("utf-8-sig")
        table = msgspec.json.decode(data) if file.suffix == ".json" else tomllib.loads(text)
        prices = msgspec.convert(table, dict[str, Price])
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise DataError(f"{path}: no table of prices: {error}") from error
    if model not in prices:
        known = ", ".join(sorted(prices)) or "none"
        raise UsageError(f"{path} has no price of {model!r}; it has: {known}")
    price = prices[model]
    if not all(0 <= one < float("inf") for one in (price.input, price.output)):
        raise DataError(f"{path}: the price of {model!r} is no number from 0")
    return price


class Budget:
    """What may still be spent; requests in flight count with the most that they can take."""

    def __init__(self, traffic: Traffic, price: Price | None) -> None:
        self.price = price
        self.used = Usage()
        """Tokens of this run."""
        self.cost = 0.0
        self.stopped: str | None = None
        """Which limit stopped the run, and what was spent by then."""
        self._traffic = traffic
        self._tokens_before, self._cost_before = 0, 0.0
        self._reserved: dict[int, Usage] = {}
        self._held = Usage()
        self._next = 0

    def resume(self, tokens: int, cost: float) -> None:
        """What earlier runs took, for the limits on the total."""
        self._tokens_before, self._cost_before = tokens, cost

    def reserve(self, most: Usage) -> int | None:
        """A receipt for a request that takes ``most`` at the most; None when that is too much."""
        usage = self._held.plus(most)
        if self._exceeded(usage) is not None:
            return None
        self._next += 1
        self._reserved[self._next] = most
        self._held = usage
        return self._next

    def settle(self, receipt: int, used: Usage | None) -> None:
        """A request has come back, or will not."""
        most = self._reserved.pop(receipt)
        self._held = Usage(self._held.input - most.input, self._held.output - most.output)
        if used is None:
            return
        spent = used if used.counted else most
        self.used = Usage(self.used.input + spent.input, self.used.output + spent.output)
        self.cost += self._cost(spent)

    @property
    def pending(self) -> bool:
        """Whether some of it may come free."""
        return bool(self._reserved)

    def stop(self, most: Usage) -> str:
        """The limit that a request may exceed; what was spent so far is noted once."""
        limit = self._exceeded(most)
        if limit is None:
            return ""
        name, allowed, spent, needed, unit, when = limit
        if self.stopped is None:
            self.stopped = (
                f"stopped by `{name}` {_amount(allowed)}: {_amount(spent)} {unit} spent {when}, "
                f"and one more request may take up to {_amount(needed)}"
            )
        return f"one more request may exceed `{name}` {_amount(allowed)} {unit}"

    def _exceeded(self, more: Usage) -> tuple[str, float, float, float, str, str] | None:
        """The first limit that this much more would exceed, and by what figures."""
        traffic, cost = self._traffic, self._cost(more)
        currency = self.price.currency if self.price is not None else ""
        earlier, total = self._tokens_before, "in this sitting, earlier runs included"
        limits: tuple[tuple[str, float | None, float, float, str, str], ...] = (
            ("max_cost", traffic.max_cost, self.cost, cost, currency, "in this run"),
            (
                "max_cost_total",
                traffic.max_cost_total,
                self._cost_before + self.cost,
                cost,
                currency,
                total,
            ),
            (
                "max_tokens_total",
                traffic.max_tokens_total,
                earlier + self.used.total,
                more.total,
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
    said = headers.get("Retry-After", "").strip()
    if not said:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            at = email.utils.parsedate_to_datetime(said)
        except ValueError:
            return None
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        seconds = (at - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else None
