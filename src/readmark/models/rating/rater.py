"""A rater: weights of named features in plain numbers, and a file that holds them."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import JSON_ERRORS, read_bytes
from readmark.models.rating.checking import faults
from readmark.models.rating.features import row
from readmark.models.rating.parsed import Parsed
from readmark.models.rating.scale import LOWEST, clipped, squashed
from readmark.models.rating.word_block import WordBlock

FORMAT = 1
Floats = NDArray[np.float64]


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
    """Whether it tells broken text: it then takes a share of the rating, not points."""


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of a sentence embedding; ``base`` is what is usual."""

    weights: tuple[float, ...]
    base: float

    def gain(self, text: str) -> float:
        """What the embedding of a text adds to its rating."""
        from readmark.models.rating.embedding import embedder

        return float(embedder().embed(text) @ np.array(self.weights)) - self.base


class Rater(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights over features; a rating is their sum, told feature by feature.

    Features that tell broken text are apart: the sum of theirs is a logarithm of how much of the
    rating over 1 is left, for text that is broken reads hard however easy its words are.
    """

    readmark_rater: int = FORMAT
    language: str = "en"
    base: float
    """The rating of a passage that is usual in everything."""
    knots: tuple[float, ...]
    """Standard deviations at which a slope may change."""
    features: tuple[Weighed, ...]
    words: WordBlock | None = None
    meaning: Meaning | None = None
    pardon: float = 0.0
    """How much of what tells broken text is let pass, as sound text has it too."""
    soft: bool = False
    """Whether the ends of the scale are soft (``scale.squashed``) or cut."""
    note: dict[str, Any] = {}
    """The model card: data, licences, seeds, figures."""

    @property
    def names(self) -> tuple[str, ...]:
        """The features in their order."""
        return tuple(one.name for one in self.features)

    def rate(self, parsed: Parsed) -> Rated:
        """The rating of a passage with what every feature added to it."""
        values = row(parsed, self.names)
        said = self.words.gain(parsed) if self.words is not None else 0.0
        gains = self.gains(values[None])[0]
        breaks = np.array([one.breaks for one in self.features])
        meant = self.meaning.gain(parsed.text) if self.meaning is not None else 0.0
        raw = self.base + float(gains[~breaks].sum()) + said + meant
        sound = squashed(raw) if self.soft else clipped(raw)
        damage = -float(gains[breaks].sum())
        rating = LOWEST + (sound - LOWEST) * math.exp(-max(0.0, damage - self.pardon))
        shares = gains / damage if damage > 0 else np.zeros(len(gains))
        gains = np.where(breaks, shares * (sound - rating), gains)
        return Rated(rating, sound - raw, values, gains, said, meant)

    def rate_rows(self, values: Floats) -> Floats:
        """The ratings of rows of features, without learned words."""
        gains = self.gains(values)
        breaks = np.array([one.breaks for one in self.features])
        raw = self.base + gains[:, ~breaks].sum(axis=1)
        end = squashed if self.soft else clipped
        sound = np.array([end(one) for one in raw.tolist()])
        damage = -gains[:, breaks].sum(axis=1)
        left: Floats = np.exp(-np.maximum(0.0, damage - self.pardon))
        return LOWEST + (sound - LOWEST) * left

    def gains(self, values: Floats) -> Floats:
        """What each feature adds, passages by features."""
        centre, spread, limit, slopes = _arrays(self)
        z = np.clip((values - centre) / spread, -limit, limit)
        total: Floats = z * slopes[:, 0]
        for at, knot in enumerate(self.knots, 1):
            total += np.maximum(z - knot, 0) * slopes[:, at]
        usual = np.maximum(-np.array(self.knots), 0) @ slopes[:, 1:].T if self.knots else 0.0
        return total - usual


class Rated(msgspec.Struct, frozen=True):
    """A rating and where it comes from."""

    rating: float
    ends: float
    """What the ends of the scale took or gave."""
    values: Floats
    gains: Floats
    words: float
    """What the learned words added; 0 where the rater has none."""
    meaning: float
    """What the embedding added; 0 where the rater has none."""


def _arrays(rater: Rater) -> tuple[Floats, Floats, Floats, Floats]:
    found = _CACHE.get(id(rater))
    if found is None or found[0] is not rater:
        features = rater.features
        found = (
            rater,
            np.array([one.centre for one in features]),
            np.array([one.spread for one in features]),
            np.array([one.limit for one in features]),
            np.array([one.slopes for one in features]).reshape(len(features), -1),
        )
        _CACHE.clear()
        _CACHE[id(rater)] = found
    return found[1:]


_CACHE: dict[int, tuple[Rater, Floats, Floats, Floats, Floats]] = {}


def to_json(rater: Rater) -> str:
    """The file of a rater: indented, figures shortened to what matters."""
    plain = msgspec.to_builtins(rater)
    return msgspec.json.format(msgspec.json.encode(_shortened(plain)), indent=1).decode() + "\n"


def from_json(data: bytes, file: str = "") -> Rater:
    """A rater from its file; what is wrong with it is told in one line."""
    try:
        rater = msgspec.json.decode(data, type=Rater)
    except JSON_ERRORS as error:
        raise DataError(f"is no rater ({error})", file=file) from None
    for fault in faults(rater, FORMAT):
        raise DataError(fault, file=file)
    return rater


@functools.lru_cache(maxsize=4)
def load_rater(model: str | None = None) -> Rater:
    """The rater of a file, or the one that ships."""
    if model is None:
        shipped = files("readmark.models.rating").joinpath("data", "rater.json")
        return from_json(shipped.read_bytes(), "rater")
    if not Path(model).is_file():
        raise UsageError(f"there is no model {model}: readmark train rater TEST -o {model}")
    return from_json(read_bytes(Path(model)), model)


@functools.lru_cache(maxsize=4)
def fingerprint(model: str | None = None) -> str:
    """A short hash of a rater's weights, for signatures."""
    return hashlib.sha256(to_json(load_rater(model)).encode()).hexdigest()[:12]


def _shortened(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _shortened(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_shortened(one) for one in value]
    return value
