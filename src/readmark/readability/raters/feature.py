"""What is known of a feature before anything is measured: its words, direction and bounds."""

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
    description: str
    """What is counted, in words that go before a number."""
    easier: int
    low: float
    high: float


def family(name: str, *rows: tuple[str, str, int, float, float]) -> tuple[Feature, ...]:
    """The features of a family; a row has name, words, direction and bounds."""
    return tuple(
        Feature(feature, name, description, easier, low, high)
        for feature, description, easier, low, high in rows
    )
