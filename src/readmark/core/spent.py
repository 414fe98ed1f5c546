"""What the rows of a sitting took: tokens, money, and what came out of a cache."""

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
    """Tokens and money; what came out of a cache was spent before."""

    asked: int = 0
    cached: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    priced: int = 0
    """Rows with a price."""
    uncounted: int = 0
    """Requests of which the endpoint did not say what they took."""

    def with_row(self, row: Row) -> Spent:
        """And one row more."""
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
        """And what other rows took; their costs are added one by one, in their order."""
        both = zip(astuple(self), astuple(other), strict=True)
        total = Spent(*(mine + more for mine, more in both))
        return replace(total, cost=functools.reduce(operator.add, costs, self.cost))

    def with_overhead(self, usage: Mapping[str, Any] | None) -> Spent:
        """And what was taken besides the rows."""
        if usage is None:
            return self
        return replace(
            self,
            input=self.input + int(usage.get("input") or 0),
            output=self.output + int(usage.get("output") or 0),
            cost=self.cost + float(usage.get("cost") or 0.0),
        )

    def as_json(self) -> dict[str, Any]:
        """The numbers; a cost only where every row has one."""
        known = asdict(self)
        return known if self.priced == self.asked else {**known, "cost": None}

    @property
    def words(self) -> str:
        """One line, or nothing where nothing was counted."""
        if not self.asked and not self.cached:
            return ""
        parts = [f"{self.input:,} tokens in, {self.output:,} out"]
        if self.priced:
            of = "" if self.priced == self.asked else f" for {self.priced:,} of {self.asked:,} rows"
            parts.append(f"cost {decimal(self.cost, 4)}{of}")
        parts += [f"{counted(self.uncounted, 'request')} not counted"] if self.uncounted else []
        parts += [f"{self.cached:,} from the cache"] if self.cached else []
        return ", ".join(parts)


class Usage(msgspec.Struct, frozen=True):
    """Tokens as the endpoint counts them; ``counted`` is false where it did not say."""

    input: int = 0
    output: int = 0
    counted: bool = True

    @property
    def total(self) -> int:
        """Both ways."""
        return self.input + self.output

    def plus(self, other: Usage) -> Usage:
        """And as much again."""
        return Usage(self.input + other.input, self.output + other.output, self.counted)
