"""Putting a rater's numbers where people's are: a line fitted to ratings it did not see."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.models.rating.rater import Meaning, Rater

LEAST, MOST = 0.5, 1.5
"""The bounds of the slope: a line beyond them says that there was too little to learn from."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """A rating is ``intercept + slope * said``."""

    slope: float
    intercept: float
    bounded: bool = False
    """Whether the slope is a bound, not what the ratings said."""


def line(said: Floats, ratings: Floats) -> Line:
    """The least-squares line from what was said of unseen passages to their ratings."""
    centred = said - said.mean()
    spread = float(centred @ centred)
    slope = float(centred @ (ratings - ratings.mean())) / spread if spread else 1.0
    kept = min(max(slope, LEAST), MOST)
    return Line(kept, float(ratings.mean() - kept * said.mean()), kept != slope)


def calibrated(rater: Rater, by: Line) -> Rater:
    """The same rater with every weight multiplied, and its base moved, by the line."""
    words, meaning = rater.words, rater.meaning
    if words is not None:
        words = msgspec.structs.replace(
            words,
            lemmas={
                lemma: (rarity, weight * by.slope)
                for lemma, (rarity, weight) in words.lemmas.items()
            },
            axes=tuple(weight * by.slope for weight in words.axes),
            base=words.base * by.slope,
        )
    if meaning is not None:
        weights = tuple(weight * by.slope for weight in meaning.weights)
        meaning = Meaning(weights, meaning.base * by.slope)
    return msgspec.structs.replace(
        rater,
        base=by.intercept + by.slope * rater.base,
        features=tuple(
            msgspec.structs.replace(one, slopes=tuple(slope * by.slope for slope in one.slopes))
            for one in rater.features
        ),
        words=words,
        meaning=meaning,
    )
