"""Calibration: a line that puts a rater's numbers where people's ratings are.

It is fitted to ratings of passages that the rater did not learn from.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from readmark.core.arrays import Floats
from readmark.readability.raters.model import EmbeddingWeights, Rater

LEAST, MOST = 0.5, 1.5
"""The bounds of the slope: a line beyond them says that there was too little to learn from."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rating is ``intercept + slope * predicted``."""

    slope: float
    intercept: float
    bounded: bool = False
    """Whether the slope is one of the bounds, not that of the least squares."""


def calibration(predicted: Floats, ratings: Floats) -> Calibration:
    """The least-squares line from predictions for unseen passages to their ratings."""
    centred = predicted - predicted.mean()
    spread = float(centred @ centred)
    slope = float(centred @ (ratings - ratings.mean())) / spread if spread else 1.0
    bounded = min(max(slope, LEAST), MOST)
    return Calibration(
        bounded, float(ratings.mean() - bounded * predicted.mean()), bounded=bounded != slope
    )


def calibrate(rater: Rater, line: Calibration) -> Rater:
    """The same rater with every weight multiplied, and its base moved, by the line."""
    words, meaning = rater.words, rater.meaning
    if words is not None:
        words = msgspec.structs.replace(
            words,
            lemmas={
                lemma: (rarity, weight * line.slope)
                for lemma, (rarity, weight) in words.lemmas.items()
            },
            axes=tuple(weight * line.slope for weight in words.axes),
            base=words.base * line.slope,
        )
    if meaning is not None:
        weights = tuple(weight * line.slope for weight in meaning.weights)
        meaning = EmbeddingWeights(weights, meaning.base * line.slope, meaning.encoder)
    return msgspec.structs.replace(
        rater,
        base=line.intercept + line.slope * rater.base,
        features=tuple(
            msgspec.structs.replace(
                feature, slopes=tuple(slope * line.slope for slope in feature.slopes)
            )
            for feature in rater.features
        ),
        words=words,
        meaning=meaning,
    )
