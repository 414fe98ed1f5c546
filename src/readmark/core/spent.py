"""What the rows of a sitting cost: tokens, money, and replies from a cache."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import msgspec

from readmark.core.counts import counted
from readmark.core.numbers import decimal
from readmark.core.sitting import Row


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and money of rows; replies from a cache cost nothing now."""

    asked: int = 0
    cached: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    priced: int = 0
    """Rows with a price."""
    uncounted: int = 0
    """Requests for which the endpoint did not report tokens."""

    def with_row(self, row: Row) -> Spent:
        """The sum with one more row."""
        usage = row.usage
        if usage is None:
            return self
        if usage.get("cached"):
            return replace(self, cached=self.cached + 1)
        cost = usage.get("cost")
        return replace(
            self,
            asked=self.asked + 1,
            input=self.input + int(usage.get("input") or 0),
            output=self.output + int(usage.get("output") or 0),
            cost=self.cost + float(cost or 0.0),
            priced=self.priced + (cost is not None),
            uncounted=self.uncounted + int(usage.get("uncounted") or 0),
        )

    def plus(self, other: Spent, costs: Iterable[float]) -> Spent:
        """The sum with other rows, whose costs are added one by one.

        Floating-point sums depend on the order, so the sum of parts must be that of the whole.
        """
        pairs = zip(astuple(self), astuple(other), strict=True)
        total = Spent(*(left + right for left, right in pairs))
        return replace(total, cost=functools.reduce(operator.add, costs, self.cost))

    def with_overhead(self, usage: Mapping[str, Any] | None) -> Spent:
        """The sum with what the run cost besides its rows."""
        if usage is None:
            return self
        return replace(
            self,
            input=self.input + int(usage.get("input") or 0),
            output=self.output + int(usage.get("output") or 0),
            cost=self.cost + float(usage.get("cost") or 0.0),
        )

    def as_json(self) -> dict[str, Any]:
        """The numbers; the cost only if every row has one."""
        document = asdict(self)
        return document if self.priced == self.asked else {**document, "cost": None}

    @property
    def words(self) -> str:
        """One line, or nothing if nothing was counted."""
        if not self.asked and not self.cached:
            return ""
        parts = [f"{self.input:,} input tokens, {self.output:,} output"]
        if self.priced:
            cost = f"cost {decimal(self.cost, 4)}"
            if self.priced < self.asked:
                cost += f" for {self.priced:,} of {self.asked:,} rows"
            parts.append(cost)
        if self.uncounted:
            parts.append(f"{counted(self.uncounted, 'request')} not counted")
        if self.cached:
            parts.append(f"{self.cached:,} from the cache")
        return ", ".join(parts)


class Usage(msgspec.Struct, frozen=True):
    """Tokens of a request; ``counted`` is false if the endpoint did not report them."""

    input: int = 0
    output: int = 0
    counted: bool = True

    @property
    def total(self) -> int:
        """Tokens of request and reply."""
        return self.input + self.output

    def plus(self, other: Usage) -> Usage:
        """The sum with another request, which may be an estimate."""
        return Usage(self.input + other.input, self.output + other.output, self.counted)
