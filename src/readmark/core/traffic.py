"""What a user allows of requests over a network: how many at once, how fast, up to what sum.

Nothing here decides what is answered, so none of it is in a candidate's name or signature.
"""

from __future__ import annotations

from dataclasses import dataclass

from readmark.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Traffic:
    """What a user allows; ``max_tokens_total`` and ``max_cost`` are of one run."""

    parallel: int = 8
    attempts: int = 6
    timeout: float = 120.0
    requests_a_minute: float | None = None
    tokens_a_minute: float | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None
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
        ):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise UsageError(f"`{name}` {value} is no number above 0")
        if self.max_cost is not None and self.prices is None:
            raise UsageError("`max_cost` needs the prices: give a file as `prices`")
