"""What is known of a feature before anything is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """A named number of a passage.

    ``easier`` is what readability research expects: 1 where more of it reads more easily, -1 where
    it reads harder, 0 where nothing is expected. ``low`` and ``high`` bound the value: a freak of
    the parser or a two-word text must not swing a rating.
    """

    name: str
    family: str
    says: str
    """What is counted, in words that go before a number."""
    easier: int
    low: float
    high: float


def bounded(features: tuple[Feature, ...], values: dict[str, float]) -> dict[str, float]:
    """The values of a family within their bounds, in the order of its features."""
    return {one.name: min(max(values[one.name], one.low), one.high) for one in features}
