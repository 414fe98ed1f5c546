"""A rater: weights of named features in plain numbers, and the rating of a passage by them."""

from __future__ import annotations

import math
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import DataError
from readmark.readability.raters.features.chinese import (
    CHINESE,
    ChinesePassage,
    measure_chinese,
)
from readmark.readability.raters.features.families import features_of, row
from readmark.readability.raters.features.feature import Feature
from readmark.readability.raters.learned_words import WordBlock
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.scale import LOWEST, clipped, squashed

if TYPE_CHECKING:
    from readmark.readability.raters.sentence_vectors.encoder import Encoder

MeasuredPassage = ParsedPassage | ChinesePassage

FORMAT = 1


@cache
def known_features(language: str) -> dict[str, Feature]:
    """The features of a language by name, in order."""
    features = CHINESE if language == "zh" else features_of()
    return {feature.name: feature for feature in features}


class Weighed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One feature in a rater: how it is standardised, and its weight between knots."""

    name: str
    centre: float
    spread: float
    limit: float
    """Standard deviations beyond which the value counts no more."""
    slopes: tuple[float, ...]
    """The slope, then its change at each knot."""
    breaks: bool = False
    """Whether it detects broken text: it then takes a share of the rating, not points."""


class EmbeddingWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of a sentence embedding; ``base`` is what is usual."""

    weights: tuple[float, ...]
    base: float
    encoder: str = ""
    """The hash of the shipped encoder's file; empty for all-MiniLM-L6-v2."""

    def gain(self, text: str) -> float:
        """What the embedding of a text adds to its rating."""
        return float(self._encoder().embed(text) @ np.array(self.weights)) - self.base

    def _encoder(self) -> Encoder:
        if not self.encoder:
            from readmark.readability.raters.sentence_vectors.minilm import minilm

            return minilm()
        from readmark.readability.raters.sentence_vectors.shipped import shipped_encoder

        shipped = shipped_encoder()
        if shipped.digest != self.encoder:
            raise DataError(
                f"the rater was made for the encoder {self.encoder}, but {shipped.digest} is "
                "installed: make the rater again (its card names the command)"
            )
        return shipped


class RatingParts(msgspec.Struct, frozen=True):
    """A rating and where it comes from."""

    rating: float
    ends: float
    """What the ends of the scale took or gave."""
    values: Floats
    gains: Floats
    words: float
    """What the learned words added; 0 if the rater has none."""
    meaning: float
    """What the embedding added; 0 if the rater has none."""


class _Columns(NamedTuple):
    """The numbers of all features as arrays, with one entry (in ``slopes`` one row) per feature."""

    centre: Floats
    spread: Floats
    limit: Floats
    slopes: Floats


class Rater(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Weights over features; a rating is their sum, explained feature by feature.

    Features that detect broken text are separate: their sum is a logarithm of how much of the
    rating over 1 is left, for broken text reads hard however easy its words are.
    """

    readmark_rater: int = FORMAT
    language: str = "en"
    base: float
    """The rating of a passage that is usual in everything."""
    knots: tuple[float, ...]
    """Standard deviations at which a slope may change."""
    features: tuple[Weighed, ...]
    words: WordBlock | None = None
    meaning: EmbeddingWeights | None = None
    pardon: float = 0.0
    """How much of the signs of broken text is ignored, because sound text has them too."""
    soft: bool = False
    """Whether ratings are squashed at the ends of the scale or clipped."""
    note: dict[str, Any] = {}
    """The model card: data, licences, seeds, figures."""

    @property
    def names(self) -> tuple[str, ...]:
        """The features in their order."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def _columns(self) -> _Columns:
        return _Columns(
            np.array([feature.centre for feature in self.features]),
            np.array([feature.spread for feature in self.features]),
            np.array([feature.limit for feature in self.features]),
            np.array([feature.slopes for feature in self.features]).reshape(len(self.features), -1),
        )

    def rate(self, parsed: MeasuredPassage) -> RatingParts:
        """The rating of a passage with what every feature added to it."""
        from_words = 0.0
        if isinstance(parsed, ChinesePassage):
            measured = measure_chinese(parsed)
            values = np.array([measured[name] for name in self.names])
        else:
            values = row(parsed, self.names)
            if self.words is not None:
                from_words = self.words.gain(parsed)
        gains = self.gains(values[None])[0]
        breaks = np.array([feature.breaks for feature in self.features])
        from_meaning = self.meaning.gain(parsed.text) if self.meaning is not None else 0.0
        raw = self.base + float(gains[~breaks].sum()) + from_words + from_meaning
        sound = squashed(raw) if self.soft else clipped(raw)
        damage = -float(gains[breaks].sum())
        rating = LOWEST + (sound - LOWEST) * math.exp(-max(0.0, damage - self.pardon))
        # Signs of broken text share what was lost, by what each adds to the damage.
        shares = gains / damage if damage > 0 else np.zeros(len(gains))
        gains = np.where(breaks, shares * (sound - rating), gains)
        return RatingParts(rating, sound - raw, values, gains, from_words, from_meaning)

    def gains(self, values: Floats) -> Floats:
        """What each feature adds, passages by features; nothing for the usual value."""
        centre, spread, limit, slopes = self._columns
        z = np.clip((values - centre) / spread, -limit, limit)
        total: Floats = z * slopes[:, 0]
        for index, knot in enumerate(self.knots, 1):
            total += np.maximum(z - knot, 0) * slopes[:, index]
        usual = np.maximum(-np.array(self.knots), 0) @ slopes[:, 1:].T if self.knots else 0.0
        return total - usual
