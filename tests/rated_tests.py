"""Readability tests with experts' ratings, and a metric's value for one passage."""

from __future__ import annotations

from typing import Any

import numpy as np

from readmark.core.test import Header, Test, in_memory
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import RatedPassage, Rating, RatingKey

FEW = MarkSettings(draws=50, trials=50)
"""Settings for tests that look at scores only."""


def rated_test(*experts: tuple[float, ...]) -> Test:
    """A test with a passage for each tuple of experts' ratings: p0, p1, and so on."""
    records = [
        RatedPassage(
            id=f"p{index}",
            text="Some text.",
            key=RatingKey(ratings=tuple(_ratings(ratings))),
        )
        for index, ratings in enumerate(experts)
    ]
    return in_memory(Header(kind="readability", name="small", language="en"), records)


def statistics(
    metric: Any, experts: tuple[float, ...], rating: float | None, novices: tuple[float, ...] = ()
) -> Any:
    """A metric's vector for a passage that a rater gave a rating, or left unanswered."""
    references = [[expert] for expert in _ratings(experts)]
    answer = None if rating is None else Rating(rating=rating, annotator="")
    return metric.statistics(None, references, answer, _ratings(novices))


def value(
    metric: Any, experts: tuple[float, ...], rating: float | None, novices: tuple[float, ...] = ()
) -> float:
    """A metric's value for one passage."""
    return float(metric.aggregate(np.array(statistics(metric, experts, rating, novices))))


def _ratings(ratings: tuple[float, ...]) -> list[Rating]:
    return [Rating(rating=rating, annotator=f"e{number}") for number, rating in enumerate(ratings)]
