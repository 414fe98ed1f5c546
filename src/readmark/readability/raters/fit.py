"""Fitting a rater to ratings: a ridge over named features, bent at knots, and learned words.

All blocks are linear, so a rating stays a sum of parts. The ridge is solved in the space of
passages, where a block of many thousand words costs no more than a small one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.readability.raters.features.families import row
from readmark.readability.raters.learned_words import WordBlock, lemma_counts, mean_vector
from readmark.readability.raters.model import EmbeddingWeights, Rater, Weighed
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.raters.sentence_vectors import minilm
from readmark.readability.scale import HIGHEST, LOWEST

KNOTS = (-1.0, 0.0, 1.0)
LIMIT = 3.0
LOUDNESS = {"features": 1.0, "lemmas": 0.6, "axes": 0.6, "embeddings": 3.0}
"""The mean length of a row of each block, before the ratings have a say."""
PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Tried in turn; each is a share of a passage's mean length in the space of the features."""
MOST_TRIED = 1_200
"""Passages that penalties are tried on: the best one says how noisy ratings are, and hangs little
on how many there are."""
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
            tuple(self.bags[index] for index in rows.tolist()),
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
    embeddings = np.zeros((len(passages), 0))
    if embed:
        encoder = minilm.minilm()
        embeddings = np.array([encoder.embed(passage.text) for passage in passages])
        embeddings = embeddings.reshape(-1, minilm.SIZE)
    return Lessons(
        np.array([row(passage, names) for passage in passages]),
        tuple(lemma_counts(passage) for passage in passages),
        np.array([mean_vector(passage) for passage in passages]),
        embeddings,
        np.asarray(ratings, float),
    )


def fit(lessons: Lessons, names: Sequence[str], *, words: bool | None = None) -> Rater:
    """A rater for some lessons; words are learnt where there are enough of them."""
    with_words = len(lessons) >= LEAST_PASSAGES if words is None else words
    centre = lessons.values.mean(axis=0)
    spread = lessons.values.std(axis=0) + 1e-6
    spread = np.where(spread < 1e-5, 1.0, spread)  # the same everywhere: it says nothing
    z = np.clip((lessons.values - centre) / spread, -LIMIT, LIMIT)
    # Every feature as a slope and a change of slope at each knot.
    blocks = {"features": np.hstack([z, *(np.maximum(z - knot, 0) for knot in KNOTS)])}
    if with_words:
        rarity = _rarity(lessons.bags)
        blocks |= {"lemmas": _unit_bags(lessons.bags, rarity), "axes": lessons.vectors}
    if lessons.embeddings.shape[1]:
        blocks["embeddings"] = lessons.embeddings
    mean = float(lessons.ratings.mean())
    means = {name: block.mean(axis=0) for name, block in blocks.items()}
    weights = _ridge(
        {name: block - means[name] for name, block in blocks.items()}, lessons.ratings - mean
    )
    slopes = weights["features"].reshape(1 + len(KNOTS), -1).T
    # At the usual value of a feature (z = 0), the parts beyond knots under 0 are not 0.
    usual = np.concatenate(
        [np.zeros(len(names)), *(np.full(len(names), max(-knot, 0.0)) for knot in KNOTS)]
    )
    word_block = None
    if with_words:
        lemmas = {
            lemma: (value, float(weight))
            for (lemma, value), weight in zip(rarity.items(), weights["lemmas"], strict=True)
        }
        base = float(means["lemmas"] @ weights["lemmas"] + means["axes"] @ weights["axes"])
        word_block = WordBlock(lemmas, tuple(weights["axes"].tolist()), base)
    meaning = None
    if "embeddings" in blocks:
        base = float(means["embeddings"] @ weights["embeddings"])
        meaning = EmbeddingWeights(tuple(weights["embeddings"].tolist()), base)
    return Rater(
        base=mean - float((means["features"] - usual) @ weights["features"]),
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
        words=word_block,
        meaning=meaning,
    )


def predict(rater: Rater, lessons: Lessons) -> Floats:
    """The ratings of lessons by a rater, as it would give them."""
    raw = rater.base + rater.gains(lessons.values).sum(axis=1)
    if rater.words is not None:
        words = rater.words
        rarity = {lemma: value for lemma, (value, _) in words.lemmas.items()}
        weights = np.array([weight for _, weight in words.lemmas.values()])
        raw += _unit_bags(lessons.bags, rarity) @ weights
        raw += lessons.vectors @ np.array(words.axes) - words.base
    if rater.meaning is not None:
        raw += lessons.embeddings @ np.array(rater.meaning.weights) - rater.meaning.base
    ratings: Floats = np.clip(raw, LOWEST, HIGHEST)
    return ratings


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    """The lemmas that are learnt, with the logarithm of their rarity among the passages."""
    texts = Counter(lemma for bag in bags for lemma in bag)
    return {
        lemma: math.log(len(bags) / count)
        for lemma, count in sorted(texts.items())
        if LEAST_TEXTS <= count < len(bags)
    }


def _unit_bags(bags: Sequence[Counter[str]], rarity: Mapping[str, float]) -> Floats:
    """Bags of lemmas as rows of unit length."""
    column = {lemma: index for index, lemma in enumerate(rarity)}
    rows: NDArray[Any] = np.zeros((len(bags), len(rarity)), np.float32)
    for index, bag in enumerate(bags):
        for lemma, count in bag.items():
            if lemma in column:
                rows[index, column[lemma]] = math.log1p(count) * rarity[lemma]
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows


def _ridge(blocks: Mapping[str, Floats], ratings: Floats) -> dict[str, Floats]:
    """The weights of centred blocks of columns by which centred ratings follow from them."""
    scales: dict[str, float] = {}
    kernel = np.zeros((len(ratings), len(ratings)))
    for name, block in blocks.items():
        length = math.sqrt(float((block * block).sum(axis=1).mean())) or 1.0
        scales[name] = 1 / length * LOUDNESS[name]
        kernel = kernel + scales[name] ** 2 * np.asarray(block @ block.T, np.float64)
    tried = np.unique(
        np.linspace(0, len(ratings) - 1, min(MOST_TRIED, len(ratings))).astype(np.intp)
    )
    penalty = best_penalty(kernel[np.ix_(tried, tried)], ratings[tried])
    dual = np.linalg.solve(kernel + penalty * np.eye(len(ratings)), ratings)
    return {name: scales[name] ** 2 * (block.T @ dual) for name, block in blocks.items()}


def best_penalty(kernel: Floats, ratings: Floats) -> float:
    """The penalty with the least leave-one-out error.

    One eigendecomposition serves every penalty: an error left out is dual over leverage.
    """
    values, axes = np.linalg.eigh(kernel)
    along = axes.T @ ratings
    squares = axes * axes

    def error(penalty: float) -> float:
        shrunk = 1 / (np.maximum(values, 0) + penalty)
        left_out = (axes @ (shrunk * along)) / np.maximum(squares @ shrunk, 1e-12)
        return float(left_out @ left_out)

    return min(PENALTIES, key=error)
