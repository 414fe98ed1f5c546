"""The values that tests are made of: spans, layers, answers, passages, questions, series.

They are msgspec structs: frozen, slotted, decoded and validated straight from a line of a
file. What a candidate may see stands on the value; the rest stands under its ``key``.
"""

from __future__ import annotations

from typing import Any

from readmark.core.records import Layers, Value


class Rating(Value, frozen=True):
    """How easily a passage reads, 1 to 5, by one judge: stars, and the rank within the round."""

    rating: float
    annotator: str
    rank: int | None = None
    round: int | None = None
    seconds: float | None = None


class RatingKey(Value, frozen=True):
    """What the experts said of a passage; their mean is what a rating is marked against."""

    ratings: tuple[Rating, ...] = ()
    layers: Layers = {}
    fields: dict[str, Any] = {}


class RatedPassage(Value, frozen=True):
    """A passage to be rated for how easily it reads."""

    id: str
    text: str
    language: str | None = None
    genre: str | None = None
    topic: str | None = None
    split: str | None = None
    article: str | None = None
    parallel: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: RatingKey | None = None
