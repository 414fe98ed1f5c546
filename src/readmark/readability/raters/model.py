"""A rater: weights of named features in plain numbers, and a file that holds them."""

from __future__ import annotations

import functools
import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, read_bytes
from readmark.core.json_lines import refuse_newer
from readmark.readability.raters.chinese import CHINESE, ChinesePassage, measure_chinese
from readmark.readability.raters.feature import Feature
from readmark.readability.raters.features import features_of, row
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.scale import LOWEST, clipped, squashed

if TYPE_CHECKING:
    from readmark.readability.raters.sentence_vectors import Encoder

# Learned words: how much easier a passage is, word by word, where many ratings taught it.


class WordBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of words and of the axes of their mean vector; ``base`` is what is usual."""

    lemmas: dict[str, tuple[float, float]]
    """Rarity (a logarithm) and weight."""
    axes: tuple[float, ...]
    base: float

    def gain(self, parsed: ParsedPassage) -> float:
        """What the words add to a passage's rating."""
        lexical = sum(self._parts(parsed).values())
        return lexical + float(vector(parsed) @ np.array(self.axes)) - self.base

    def extremes(self, parsed: ParsedPassage, most: int = 3) -> tuple[list[str], list[str]]:
        """The lemmas that raise the rating most, and those that lower it most."""
        parts = sorted((gain, lemma) for lemma, gain in self._parts(parsed).items())
        easier = [lemma for gain, lemma in reversed(parts) if gain > 0]
        return easier[:most], [lemma for gain, lemma in parts if gain < 0][:most]

    def _parts(self, parsed: ParsedPassage) -> dict[str, float]:
        bag = lemma_counts(parsed)
        values = {
            lemma: math.log1p(count) * self.lemmas[lemma][0]
            for lemma, count in bag.items()
            if lemma in self.lemmas
        }
        length = math.sqrt(sum(value * value for value in values.values())) or 1.0
        return {lemma: value / length * self.lemmas[lemma][1] for lemma, value in values.items()}


def lemma_counts(parsed: ParsedPassage) -> Counter[str]:
    """The lemmas of a passage but names and figures."""
    lemmas, pos = parsed.lemmas, parsed.pos
    return Counter([lemmas[word] for word in parsed.words if pos[word] not in ("PROPN", "NUM")])


def vector(parsed: ParsedPassage) -> Floats:
    """The mean vector of the content words, by the vectors of the evidence reader."""
    known = _lexicon()
    known.make_room()
    entries = [known.entry(parsed.forms[index]) for index in parsed.content]
    rows = known.numbers[entries, 2] if entries else np.zeros(0, np.int64)
    rows = rows[rows != known.unknown]
    if not len(rows):
        return np.zeros(known.vectors.shape[1])
    mean: Floats = known.vectors[rows].mean(axis=0).astype(np.float64)
    return mean


def vector_width() -> int:
    """How many axes the vectors have."""
    return int(_lexicon().vectors.shape[1])


@functools.cache
def _lexicon() -> Any:
    from readmark.text.word_vectors import lexicon

    return lexicon("en")


MeasuredPassage = ParsedPassage | ChinesePassage


@functools.cache
def known_features(language: str) -> dict[str, Feature]:
    """The features of a language by name, in order."""
    return {one.name: one for one in (CHINESE if language == "zh" else features_of())}


FORMAT = 1


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
    """The hash of the shipped encoder's file; the package's embeddings where there is none."""

    def gain(self, text: str) -> float:
        """What the embedding of a text adds to its rating."""
        return float(self._encoder().embed(text) @ np.array(self.weights)) - self.base

    def _encoder(self) -> Encoder:
        from readmark.readability.raters.sentence_vectors import embedder, shipped_encoder

        if not self.encoder:
            return embedder()
        shipped = shipped_encoder()
        if shipped.digest != self.encoder:
            raise DataError(
                f"the rater is made for the encoder {self.encoder}, here is {shipped.digest}: "
                "make it again (its card names the command)"
            )
        return shipped


class Rater(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
    """Whether the ends of the scale are soft (``scale.squashed``) or cut."""
    note: dict[str, Any] = {}
    """The model card: data, licences, seeds, figures."""

    @property
    def names(self) -> tuple[str, ...]:
        """The features in their order."""
        return tuple(feature.name for feature in self.features)

    def rate(self, parsed: MeasuredPassage) -> RatingParts:
        """The rating of a passage with what every feature added to it."""
        if isinstance(parsed, ChinesePassage):
            measured = measure_chinese(parsed)
            values, value = np.array([measured[name] for name in self.names]), 0.0
        else:
            values = row(parsed, self.names)
            value = self.words.gain(parsed) if self.words is not None else 0.0
        gains = self.gains(values[None])[0]
        breaks = np.array([feature.breaks for feature in self.features])
        meant = self.meaning.gain(parsed.text) if self.meaning is not None else 0.0
        raw = self.base + float(gains[~breaks].sum()) + value + meant
        sound = squashed(raw) if self.soft else clipped(raw)
        damage = -float(gains[breaks].sum())
        rating = LOWEST + (sound - LOWEST) * math.exp(-max(0.0, damage - self.pardon))
        shares = gains / damage if damage > 0 else np.zeros(len(gains))
        gains = np.where(breaks, shares * (sound - rating), gains)
        return RatingParts(rating, sound - raw, values, gains, value, meant)

    def gains(self, values: Floats) -> Floats:
        """What each feature adds, passages by features."""
        centre, spread, limit, slopes = _arrays(self)
        z = np.clip((values - centre) / spread, -limit, limit)
        total: Floats = z * slopes[:, 0]
        for index, knot in enumerate(self.knots, 1):
            total += np.maximum(z - knot, 0) * slopes[:, index]
        usual = np.maximum(-np.array(self.knots), 0) @ slopes[:, 1:].T if self.knots else 0.0
        return total - usual


class RatingParts(msgspec.Struct, frozen=True):
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
            np.array([feature.centre for feature in features]),
            np.array([feature.spread for feature in features]),
            np.array([feature.limit for feature in features]),
            np.array([feature.slopes for feature in features]).reshape(len(features), -1),
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
    """A rater from its file; a fault is reported in one line."""
    refuse_newer(data, FORMAT, file=file, member="readmark_rater")
    try:
        rater = msgspec.json.decode(data, type=Rater)
    except JSON_ERRORS as error:
        raise DataError(f"is not a rater ({error})", file=file) from None
    for fault in rater_faults(rater, FORMAT):
        raise DataError(fault, file=file)
    return rater


SHIPPED = {"en": "rater.json", "zh": "chinese.json"}


@functools.lru_cache(maxsize=4)
def load_rater(model: str | None = None, language: str = "en") -> Rater:
    """The rater of a file, or the one that ships for a language."""
    if model is None:
        shipped = shipped_rater(language)
        return from_json(shipped.read_bytes(), shipped.name)
    if not Path(model).is_file():
        raise UsageError(f"there is no model {model}: readmark train rater TEST -o {model}")
    return from_json(read_bytes(Path(model)), model)


def shipped_rater(language: str) -> Path:
    """The rater that ships for a language."""
    return Path(str(files("readmark.readability.raters"))) / "data" / SHIPPED[language]


@functools.lru_cache(maxsize=4)
def fingerprint(model: str | None = None, language: str = "en") -> str:
    """A short hash of a rater's weights, for signatures."""
    return hashlib.sha256(to_json(load_rater(model, language)).encode()).hexdigest()[:12]


def _shortened(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _shortened(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_shortened(one) for one in value]
    return value


# What a rater's file must contain, with a one-line message where it does not.


WILDEST = 1_000.0
"""No base, slope or weight of a rating from 1 to 5 is beyond it."""


def rater_faults(rater: Rater, format: int) -> Iterator[str]:
    """Everything that is wrong with a rater, the plainest first."""
    if rater.readmark_rater != format:
        yield f"is a rater of format {rater.readmark_rater}, expected {format}"
        return
    if rater.language not in SHIPPED:
        yield f"rates {rater.language!r}, expected 'en' or 'zh'"
        return
    if not rater.features:
        yield "weighs no feature"
    if not _sane(rater.base, *rater.knots) or not 0 <= rater.pardon < WILDEST:
        yield f"has a base, a knot or a pardon that is not a number within {WILDEST:g}"
    known = known_features(rater.language)
    seen: set[str] = set()
    for weighed in rater.features:
        if weighed.name not in known:
            yield f"weighs {weighed.name!r}, which is not a feature here"
        if weighed.name in seen:
            yield f"weighs {weighed.name!r} twice"
        seen.add(weighed.name)
        slopes = len(rater.knots) + 1
        if len(weighed.slopes) != slopes:
            yield f"weighs {weighed.name!r} by {len(weighed.slopes)} slopes, expected {slopes}"
        fits = _sane(weighed.centre, *weighed.slopes) and math.isfinite(
            weighed.spread + weighed.limit
        )
        if not (fits and weighed.spread > 0 and weighed.limit > 0):
            yield f"weighs {weighed.name!r} by numbers that do not fit: spread and limit are over 0"
    yield from _blocks(rater)


def _blocks(rater: Rater) -> Iterator[str]:
    if rater.language == "zh" and (rater.words is not None or rater.meaning is not None):
        yield "has weights of English words for Chinese"
        return
    if rater.words is not None:
        if len(rater.words.axes) != vector_width():
            yield f"has {len(rater.words.axes)} axes of words, expected {vector_width()}"
        numbers = (number for pair in rater.words.lemmas.values() for number in pair)
        if not _sane(rater.words.base, *rater.words.axes, *numbers):
            yield f"has weights of words that are not numbers within {WILDEST:g}"
    if rater.meaning is not None:
        from readmark.readability.raters.sentence_vectors import SHIPPED_SIZE, SIZE

        size = SHIPPED_SIZE if rater.meaning.encoder else SIZE
        if len(rater.meaning.weights) != size:
            yield f"has {len(rater.meaning.weights)} weights of embeddings, expected {size}"
        if not _sane(rater.meaning.base, *rater.meaning.weights):
            yield f"has weights of embeddings that are not numbers within {WILDEST:g}"


def _sane(*numbers: float) -> bool:
    return all(abs(number) < WILDEST for number in numbers)
