"""What a user allows of requests over a network: how many at once, how fast, up to what sum.

Nothing here decides what is answered, so none of it is in a candidate's name or signature.
"""

from __future__ import annotations

from dataclasses import dataclass

from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal


@dataclass(frozen=True, slots=True)
class Traffic:
    """What a user allows.

    ``max_cost`` bounds one run; ``max_cost_total`` and ``max_tokens_total`` bound a sitting, the
    earlier runs that it resumes included.
    """

    parallel: int = 8
    attempts: int = 6
    timeout: float = 120.0
    requests_a_minute: float | None = None
    tokens_a_minute: float | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None
    max_cost_total: float | None = None
    prices: str | None = None
    cache: str | None = None
    """The cache's file; an empty name is none at all, None is one next to the journal."""

    def __post_init__(self) -> None:
        for name, least in (("parallel", 1), ("attempts", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"`{name}` {getattr(self, name)} is less than {least}")
        for name in (
            "timeout",
            "requests_a_minute",
            "tokens_a_minute",
            "max_tokens_total",
            "max_cost",
            "max_cost_total",
        ):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise UsageError(f"`{name}` {value} is no number above 0")
        for name in ("max_cost", "max_cost_total"):
            if getattr(self, name) is not None and self.prices is None:
                raise UsageError(f"`{name}` needs the prices: give a file as `prices`")


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
        """Both."""

        def both(name: str) -> float | None:
            values = getattr(self, name), getattr(other, name)
            known = [value for value in values if value is not None]
            return sum(known) if known else None

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
            f"{counted(self.requests, 'request')}{cached}; about {self.input:,} tokens in, "
            f"{self.output:,} out, at most {self.most_output:,} out{money}"
        )
