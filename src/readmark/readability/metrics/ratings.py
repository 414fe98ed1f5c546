"""The ratings that every metric compares: a rater's, the experts', and their mean, the gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.core.errors import DataError
from readmark.core.records import Unit

FARTHEST = 1000.0
"""A rating off the scale counts as it is, but a number beyond this is not a rating."""


def rating_of(unit: Unit, answer: Any) -> float:
    """The rating in an answer; one that is absurdly far off the scale is an error."""
    if not abs(answer.rating) <= FARTHEST:  # written so that NaN is refused, too
        owner = f" of {answer.annotator}" if answer.annotator else ""
        raise DataError(
            f"{unit.id}: the rating {answer.rating:g}{owner} is far off the scale from 1 to 5"
        )
    return float(answer.rating)


def expert_ratings(unit: Unit, references: Sequence[Sequence[Any]]) -> list[float]:
    """Every expert's rating."""
    return [rating_of(unit, answer) for expert in references for answer in expert]


def gold_of(unit: Unit, references: Sequence[Sequence[Any]]) -> float:
    """The mean of the experts' ratings."""
    ratings = expert_ratings(unit, references)
    return sum(ratings) / len(ratings)
