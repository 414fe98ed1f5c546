"""Fitting a rater to ratings: a ridge over named features, bent at knots, and learned words.

All blocks are linear, so a rating stays a sum of parts. The ridge is solved in the space of
passages, where a block of many thousand words costs no more than a small one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.readability.raters.features import row
from readmark.readability.raters.model import (
    EmbeddingWeights,
    Rater,
    Weighed,
    WordBlock,
    lemma_counts,
    vector,
)
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.raters.sentence_vectors import SIZE
from readmark.readability.scale import HIGHEST, LOWEST

# Putting a rater's numbers where people's are: a line fitted to ratings it did not see.


LEAST, MOST = 0.5, 1.5
"""The bounds of the slope: a line beyond them says that there was too little to learn from."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rating is ``intercept + slope * said``."""

    slope: float
    intercept: float
    bounded: bool = False
    """Whether the slope is a bound, not what the ratings said."""


def calibration(predicted: Floats, ratings: Floats) -> Calibration:
    """The least-squares line from what was said of unseen passages to their ratings."""
    centred = predicted - predicted.mean()
    spread = float(centred @ centred)
    slope = float(centred @ (ratings - ratings.mean())) / spread if spread else 1.0
    kept = min(max(slope, LEAST), MOST)
    return Calibration(kept, float(ratings.mean() - kept * predicted.mean()), kept != slope)


def calibrate(rater: Rater, by: Calibration) -> Rater:
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
        meaning = EmbeddingWeights(weights, meaning.base * by.slope, meaning.encoder)
    return msgspec.structs.replace(
        rater,
        base=by.intercept + by.slope * rater.base,
        features=tuple(
            msgspec.structs.replace(
                feature, slopes=tuple(slope * by.slope for slope in feature.slopes)
            )
            for feature in rater.features
        ),
        words=words,
        meaning=meaning,
    )


KNOTS = (-1.0, 0.0, 1.0)
LIMIT = 3.0
PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Tried in turn; each is a share of a passage's mean length in the space of the features."""
LEAST_PASSAGES = 400
"""Passages under which words are not learnt: there are too many of them."""
LEAST_TEXTS = 4
"""Texts that must have a lemma before it is learnt."""


@dataclass(frozen=True)
class Lessons:
    """Passages to learn from, measured."""

    values: Floats
    bags: tuple[Counter[str], ...]
    vectors: Floats
    embeddings: Floats
    """No columns where embeddings are not wanted."""
    ratings: Floats

    def __len__(self) -> int:
        return len(self.ratings)

    def subset(self, rows: NDArray[np.intp]) -> Lessons:
        """The passages of the given rows."""
        return Lessons(
            self.values[rows],
            tuple(self.bags[at] for at in rows.tolist()),
            self.vectors[rows],
            self.embeddings[rows],
            self.ratings[rows],
        )


def measure_lessons(
    passages: Sequence[ParsedPassage],
    names: Sequence[str],
    ratings: Sequence[float],
    *,
    embed: bool,
) -> Lessons:
    """Lessons from parsed passages and their ratings."""
    if embed:
        from readmark.readability.raters.sentence_vectors import embedder

        known = embedder()
        embeddings = np.array([known.embed(passage.text) for passage in passages]).reshape(-1, SIZE)
    else:
        embeddings = np.zeros((len(passages), 0))
    return Lessons(
        np.array([row(passage, names) for passage in passages]),
        tuple(lemma_counts(passage) for passage in passages),
        np.array([vector(passage) for passage in passages]),
        embeddings,
        np.asarray(ratings, float),
    )


def fit(lessons: Lessons, names: Sequence[str], *, words: bool | None = None) -> Rater:
    """A rater for some lessons; words are learnt where there are enough of them."""
    learn = len(lessons) >= LEAST_PASSAGES if words is None else words
    centre = lessons.values.mean(axis=0)
    spread = lessons.values.std(axis=0) + 1e-6
    spread = np.where(spread < 1e-5, 1.0, spread)
    z = np.clip((lessons.values - centre) / spread, -LIMIT, LIMIT)
    # Every feature as a slope and a change of slope at each knot.
    blocks = {"features": np.hstack([z, *(np.maximum(z - knot, 0) for knot in KNOTS)])}
    if learn:
        rarity = _rarity(lessons.bags)
        blocks |= {"lemmas": _bags(lessons.bags, rarity), "axes": lessons.vectors}
    if lessons.embeddings.shape[1]:
        blocks["embeddings"] = lessons.embeddings
    means = {name: one.mean(axis=0) for name, one in blocks.items()}
    scales: dict[str, float] = {}
    kernel = np.zeros((len(lessons), len(lessons)))
    for name, one in blocks.items():
        centred = one - means[name]
        # The mean length of a row is one, times how loud the block is.
        length = math.sqrt(float((centred * centred).sum(axis=1).mean())) or 1.0
        scales[name] = 1 / length * SHARES[name]
        kernel = kernel + scales[name] ** 2 * np.asarray(centred @ centred.T, np.float64)
    mean = float(lessons.ratings.mean())
    dual = _solved(kernel, lessons.ratings - mean)
    weights = {
        name: scales[name] ** 2 * ((one - means[name]).T @ dual) for name, one in blocks.items()
    }
    slopes = weights["features"].reshape(1 + len(KNOTS), -1).T
    usual = np.concatenate(
        [np.zeros(len(names)), *(np.full(len(names), max(-knot, 0.0)) for knot in KNOTS)]
    )
    base = mean - float((means["features"] - usual) @ weights["features"])
    block = None
    if learn:
        lemmas = {
            lemma: (value, float(weight))
            for (lemma, value), weight in zip(rarity.items(), weights["lemmas"], strict=True)
        }
        usual_words = float(means["lemmas"] @ weights["lemmas"] + means["axes"] @ weights["axes"])
        block = WordBlock(lemmas, tuple(weights["axes"].tolist()), usual_words)
    meaning = None
    if "embeddings" in blocks:
        axes = weights["embeddings"]
        meaning = EmbeddingWeights(tuple(axes.tolist()), float(means["embeddings"] @ axes))
    return Rater(
        base=base,
        knots=KNOTS,
        features=tuple(
            Weighed(
                name=name,
                centre=float(centre[index]),
                spread=float(spread[index]),
                limit=LIMIT,
                slopes=tuple(slopes[index].tolist()),
            )
            for index, name in enumerate(names)
        ),
        words=block,
        meaning=meaning,
    )


SHARES = {"features": 1.0, "lemmas": 0.6, "axes": 0.6, "embeddings": 3.0}
"""How loud each block is before the ratings have a say."""


def predict(rater: Rater, lessons: Lessons) -> Floats:
    """The ratings of lessons by a rater, as it would give them."""
    raw = rater.base + rater.gains(lessons.values).sum(axis=1)
    if rater.words is not None:
        block = rater.words
        rarity = {lemma: value for lemma, (value, _) in block.lemmas.items()}
        weights = np.array([weight for _, weight in block.lemmas.values()])
        raw += _bags(lessons.bags, rarity) @ weights
        raw += lessons.vectors @ np.array(block.axes) - block.base
    if rater.meaning is not None:
        raw += lessons.embeddings @ np.array(rater.meaning.weights) - rater.meaning.base
    found: Floats = np.clip(raw, LOWEST, HIGHEST)
    return found


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    """The lemmas that are learnt, with the logarithm of their rarity among the passages."""
    texts = Counter(lemma for bag in bags for lemma in bag)
    return {
        lemma: math.log(len(bags) / count)
        for lemma, count in sorted(texts.items())
        if LEAST_TEXTS <= count < len(bags)
    }


def _bags(bags: Sequence[Counter[str]], rarity: dict[str, float]) -> Floats:
    """Bags of lemmas as rows of unit length."""
    column = {lemma: index for index, lemma in enumerate(rarity)}
    found: NDArray[Any] = np.zeros((len(bags), len(rarity)), np.float32)
    for index, bag in enumerate(bags):
        for lemma, count in bag.items():
            if lemma in column:
                found[index, column[lemma]] = math.log1p(count) * rarity[lemma]
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return found


def _solved(kernel: Floats, wanted: Floats) -> Floats:
    """The dual weights by the penalty with the least leave-one-out error.

    The error is taken over at most ``TRIED`` passages, evenly picked: the best penalty says how
    noisy ratings are, and hangs little on how many there are.
    """
    picked = np.unique(np.linspace(0, len(wanted) - 1, min(TRIED, len(wanted))).astype(np.intp))
    penalty = _best_penalty(kernel[np.ix_(picked, picked)], wanted[picked])
    held = kernel + penalty * np.eye(len(wanted))
    return np.asarray(np.linalg.solve(held, wanted), np.float64)


def _best_penalty(kernel: Floats, wanted: Floats) -> float:
    """One eigendecomposition serves every penalty: an error left out is dual over leverage."""
    values, axes = np.linalg.eigh(kernel)
    along = axes.T @ wanted
    squares = axes * axes

    def error(penalty: float) -> float:
        shrunk = 1 / (np.maximum(values, 0) + penalty)
        left_out = (axes @ (shrunk * along)) / np.maximum(squares @ shrunk, 1e-12)
        return float(left_out @ left_out)

    return min(PENALTIES, key=error)


TRIED = 1_200
