"""What a rater's file must hold, told in one line where it does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from readmark.models.rating.features import features_of

if TYPE_CHECKING:
    from readmark.models.rating.rater import Rater

WILDEST = 1_000.0
"""No base, slope or weight of a rating from 1 to 5 is beyond it."""


def faults(rater: Rater, format: int) -> Iterator[str]:
    """Everything that is wrong with a rater, the plainest first."""
    if rater.readmark_rater != format:
        yield f"is a rater of format {rater.readmark_rater}, expected {format}"
        return
    if rater.language != "en":
        yield f"rates {rater.language!r}, expected 'en'"
    if not rater.features:
        yield "weighs no feature"
    if not _sane(rater.base, *rater.knots) or not 0 <= rater.pardon < WILDEST:
        yield f"has a base, a knot or a pardon that is no number within {WILDEST:g}"
    known = {feature.name for feature in features_of()}
    seen: set[str] = set()
    for one in rater.features:
        if one.name not in known:
            yield f"weighs {one.name!r}, which is no feature here"
        if one.name in seen:
            yield f"weighs {one.name!r} twice"
        seen.add(one.name)
        slopes = len(rater.knots) + 1
        if len(one.slopes) != slopes:
            yield f"weighs {one.name!r} by {len(one.slopes)} slopes, expected {slopes}"
        fits = _sane(one.centre, *one.slopes) and math.isfinite(one.spread + one.limit)
        if not (fits and one.spread > 0 and one.limit > 0):
            yield f"weighs {one.name!r} by numbers that do not fit: spread and limit are over 0"
    yield from _blocks(rater)


def _blocks(rater: Rater) -> Iterator[str]:
    if rater.words is not None:
        from readmark.models.rating.word_block import width

        if len(rater.words.axes) != width():
            yield f"has {len(rater.words.axes)} axes of words, expected {width()}"
        numbers = (number for pair in rater.words.lemmas.values() for number in pair)
        if not _sane(rater.words.base, *rater.words.axes, *numbers):
            yield f"has weights of words that are no numbers within {WILDEST:g}"
    if rater.meaning is not None:
        from readmark.models.rating.embedding import SIZE

        if len(rater.meaning.weights) != SIZE:
            yield f"has {len(rater.meaning.weights)} weights of embeddings, expected {SIZE}"
        if not _sane(rater.meaning.base, *rater.meaning.weights):
            yield f"has weights of embeddings that are no numbers within {WILDEST:g}"


def _sane(*numbers: float) -> bool:
    return all(abs(number) < WILDEST for number in numbers)
