"""Limits of requests over a network: how many at once, how fast, up to what sum.

Nothing here decides what is answered, so none of it is in a candidate's name or signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, fields
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

from readmark.core import typed_keys as takes
from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.core.typed_keys import configured

if TYPE_CHECKING:
    from readmark.core.spent import Usage

PARALLEL, ATTEMPTS, TIMEOUT = 8, 6, 120.0
"""Defaults: concurrent requests, attempts for each, and seconds for a reply."""


@dataclass(frozen=True, slots=True)
class Price:
    """``[models.NAME.price]``: what a million tokens cost each way."""

    input: float = configured(MISSING, takes.FROM_ZERO, "price of a million input tokens")
    output: float = configured(MISSING, takes.FROM_ZERO, "price of a million output tokens")
    currency: str = configured("USD", takes.TEXT, "currency of the price")

    def of(self, usage: Usage) -> float:
        """The cost of a request."""
        return (usage.input * self.input + usage.output * self.output) / 1e6


class Purse:
    """What the models of one run have spent together, since limits apply to the sum."""

    def __init__(self) -> None:
        self.tokens = 0
        self.cost = 0.0
        self.tokens_before = 0
        self.cost_before = 0.0
        """What earlier runs of the same sittings spent."""
        self.reserved: dict[int, tuple[int, float]] = {}
        """The most tokens and money that each request in flight may take."""
        self.receipts = count(1)
        self.lock = Lock()
        self._currency: str | None = None

    def agree_on(self, currency: str) -> None:
        """Refuse a second currency: sums of both mean nothing."""
        if self._currency not in (None, currency):
            raise UsageError(
                f"a limit on cost counts in {self._currency}, and a model's price is in {currency}"
            )
        self._currency = currency


_run_purse: ContextVar[Purse | None] = ContextVar("run purse", default=None)


@contextmanager
def one_purse() -> Iterator[Purse]:
    """Let models that are prepared inside share the limits of one run.

    Inside another run they share those of the outer one.
    """
    purse = _run_purse.get() or Purse()
    token = _run_purse.set(purse)
    try:
        yield purse
    finally:
        _run_purse.reset(token)


def run_purse() -> Purse | None:
    """What the models of this run share, if there is a run."""
    return _run_purse.get()


@dataclass(frozen=True, slots=True)
class Traffic:
    """The limits that a user sets; None means that of the model's section, or the default.

    ``max_cost`` and ``max_tokens`` bound one run; ``max_cost_total`` and ``max_tokens_total`` bound
    a sitting, the earlier runs that it resumes included. Models that share a ``purse`` share them.
    """

    parallel: int | None = None
    attempts: int | None = None
    timeout: float | None = None
    requests_a_minute: float | None = None
    tokens_a_minute: float | None = None
    max_tokens: int | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None
    max_cost_total: float | None = None
    cache: str | None = None
    """The cache's file; an empty name is none at all, None is one next to the journal."""
    purse: Purse | None = None

    def __post_init__(self) -> None:
        for name in ("parallel", "attempts", "max_tokens", "max_tokens_total"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"`{name}` {value} is less than 1")
        for name in (
            "timeout",
            "requests_a_minute",
            "tokens_a_minute",
            "max_cost",
            "max_cost_total",
        ):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise UsageError(f"`{name}` {value} is not a number above 0")

    def over(self, other: Traffic) -> Traffic:
        """These limits, and those of ``other`` where these are not set."""
        limits = {}
        for declared in fields(self):
            limit = getattr(self, declared.name)
            limits[declared.name] = getattr(other, declared.name) if limit is None else limit
        return Traffic(**limits)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests would take, by rules of thumb; ``most`` figures are upper bounds."""

    requests: int = 0
    cached: int = 0
    """Requests that a cache answers, which cost nothing."""
    input: int = 0
    output: int = 0
    most_output: int = 0
    cost: float | None = None
    most_cost: float | None = None
    currency: str = ""

    def plus(self, other: Estimate) -> Estimate:
        """The sum of two estimates; a cost that only one of them has counts alone."""

        def both(name: str) -> float | None:
            values = [
                value for value in (getattr(self, name), getattr(other, name)) if value is not None
            ]
            return sum(values) if values else None

        return Estimate(
            self.requests + other.requests,
            self.cached + other.cached,
            self.input + other.input,
            self.output + other.output,
            self.most_output + other.most_output,
            both("cost"),
            both("most_cost"),
            self.currency or other.currency,
        )

    @property
    def words(self) -> str:
        """One line."""
        cached = f", {self.cached:,} more from the cache" if self.cached else ""
        money = ""
        if self.cost is not None and self.most_cost is not None:
            cost, most = decimal(self.cost, 4), decimal(self.most_cost, 4)
            money = f"; cost about {cost} {self.currency}, at most {most}"
        return (
            f"{counted(self.requests, 'request')}{cached}; about {self.input:,} input tokens, "
            f"{self.output:,} output (at most {self.most_output:,}){money}"
        )
