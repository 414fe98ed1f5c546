"""A probability or bounds of one: how it is written, and that of one of several events."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from readmark.core.numbers import significant

_ROUNDING = 1e-12  # relative: bounds that are nearer than this differ by rounding only


class Chance(NamedTuple):
    """A probability, or bounds between which it lies."""

    low: float
    high: float

    @property
    def bound(self) -> float | None:
        """The upper bound, where the probability itself is not known."""
        return None if self.high - self.low <= _ROUNDING * self.high else self.high


CERTAIN = Chance(1.0, 1.0)


def chance_text(low: float, bound: float | None) -> str:
    """``0.58``, or ``0.4 to 0.7`` where only bounds are known."""
    lower = significant(low)
    return lower if bound is None else f"{lower} to {significant(bound)}"


def chance_json(low: float, bound: float | None) -> dict[str, object]:
    """The probability; where only bounds are known, the lower one and both."""
    members: dict[str, object] = {"probability": low}
    return members if bound is None else {**members, "bounds": [low, bound]}


def either(chances: Iterable[float]) -> float:
    """The probability that one of several independent events happens."""
    total = 0.0
    for chance in chances:
        if chance >= 1:
            return 1.0
        total += math.log1p(-chance)
    return -math.expm1(total)
