"""How the shipped rater is made: research says which way, levelled articles say how much.

There are no ratings that may be shipped. What there is: the direction that research expects of
each feature, articles in three levels, and the same articles broken on purpose. Features that
measure one thing share one voice equally (Dawes, "The Robust Beauty of Improper Linear Models in
Decision Making", 1979). Words and sentences are the two things that every formula since the 1920s
weighs, narrativity is the weightiest component of text easability beside them (Graesser, McNamara
and Kulikowich, "Coh-Metrix: Providing Multilevel Analyses of Text Characteristics", 2011); these
speak twice as loud as cohesion and assertions, of which less is agreed. A ridge moves the weights
from there towards what tells the versions of one article apart, within half and twice the expected
weight: articles of one newspaper must not turn round what is known of all texts.

Fluency has no say over sound text: what counts is only how far a passage is beyond the usual in
the direction of broken text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.models.rating.features.feature import Feature
from readmark.models.rating.rater import Rater, Weighed
from readmark.models.rating.scale import SPREAD, USUAL

Floats = NDArray[np.float64]
LIMIT, FAR = 2.5, 8.0
"""Standard deviations beyond which a feature counts no more; broken text goes far."""
KNOT = 2.0
"""Standard deviations from the usual where broken text begins."""
PARDONED = 0.95
"""The share of sound text that loses nothing by its fluency."""
LEAST, MOST = 0.5, 2.0
"""How much of the expected weight a feature keeps at least, and may have at most."""
ONE_SIDED = ("fluency",)
LOUDNESS = {"words": 2.0, "sentences": 2.0, "narrativity": 2.0, "cohesion": 1.0}
"""How loud a voice is; 1 where it is not said."""
VOICES = {
    "words": (
        *("syllables", "letters", "polysyllables", "long_words", "frequency", "frequency_all"),
        *("rarest", "rare_words", "uncommon_words", "unfamiliar", "band_1", "band_2", "band_3"),
        *("variety", "density", "abstract"),
    ),
    "sentences": (
        *("sentence_length", "longest_sentence", "long_sentences", "commas", "heavy_signs"),
        *("depth", "distance", "before_verb", "clauses", "subordinate", "relative", "noun_weight"),
        *("compounds", "noun_phrases", "prepositions", "prepositional_chains", "passives"),
        *("coordination", "adjectives"),
    ),
    "levels": ("level_words",),
    "narrativity": (
        *("spoken_signs", "figures", "story_words", "pronouns", "pronoun_share", "verbs", "nouns"),
        *("past", "temporal", "assertion_density"),
    ),
    "cohesion": (
        *("overlap", "content_overlap", "chained", "chain_length", "new_nouns", "names"),
        *("adversative", "additive"),
    ),
}
"""What features speak of; those of no voice here speak for their family."""
_VOICE = {name: voice for voice, names in VOICES.items() for name in names}


def voice_of(feature: Feature) -> str:
    """What a feature speaks of."""
    return _VOICE.get(feature.name, feature.family)


@dataclass(frozen=True)
class Versions:
    """Rows of features of versions of articles: sound ones in levels, and broken ones."""

    values: Floats
    levels: Floats
    """The rating of each one's level; of a broken one that of its sound text."""
    left: Floats
    """How much of the rating over 1 is left: 1 for sound ones."""
    articles: NDArray[np.intp]

    @property
    def sound(self) -> NDArray[np.bool_]:
        """Which are not broken."""
        found: NDArray[np.bool_] = np.equal(self.left, 1)
        return found


def expected(features: Sequence[Feature]) -> Floats:
    """The weights that research expects: the features of a voice share its loudness."""
    voices = [voice_of(one) for one in features]
    weights = np.array([float(one.easier) for one in features])
    for voice in set(voices):
        own = np.array([one == voice for one in voices])
        told = int(np.count_nonzero(weights[own]))
        weights[own] *= LOUDNESS.get(voice, 1.0) / max(1, told)
    return weights


def fit(
    features: Sequence[Feature],
    usual: Floats,
    versions: Versions,
    *,
    penalty: float,
    note: dict[str, Any] | None = None,
) -> Rater:
    """Weights near the expected ones that order versions; ``usual`` says what is usual.

    Two steps: the sound versions weigh what is not fluency, then sound and broken ones together
    weigh fluency, by how much of a rating each sort of damage leaves.
    """
    centre, spread = usual.mean(axis=0), usual.std(axis=0) + 1e-6
    one_sided = np.array([one.family in ONE_SIDED for one in features])
    directions = np.array([float(one.easier) for one in features])
    limit = np.where(one_sided, FAR, LIMIT)
    own = ~one_sided
    z = np.clip((versions.values - centre) / spread, -limit, limit)
    sound = versions.sound
    linear = np.zeros(len(features))
    linear[own] = _towards(
        _within(z[sound][:, own], versions.articles[sound]),
        _within(versions.levels[sound], versions.articles[sound]),
        expected(features)[own],
        penalty,
    )
    said = np.clip((usual - centre) / spread, -limit, limit) @ linear
    linear *= SPREAD / said.std()
    hinged = np.zeros(len(features))
    hinged[one_sided] = _towards(
        _beyond(z, directions)[:, one_sided],
        np.log(versions.left),
        -np.abs(directions[one_sided]) / np.count_nonzero(directions[one_sided]),
        penalty,
    )
    usual_damage = -_beyond(np.clip((usual - centre) / spread, -limit, limit), directions) @ hinged
    pardon = float(np.quantile(usual_damage, PARDONED))
    damage = -_beyond(z[~sound], directions) @ hinged
    # What is let pass must be made up for, or broken text would lose too little.
    louder = -np.log(versions.left[~sound]).mean() / np.maximum(damage - pardon, 0).mean()
    hinged *= louder
    return Rater(
        base=USUAL,
        knots=(-KNOT, KNOT),
        features=tuple(
            Weighed(
                name=feature.name,
                centre=float(centre[at]),
                spread=float(spread[at]),
                limit=float(limit[at]),
                slopes=_slopes(float(linear[at]), float(hinged[at]), feature.easier),
                breaks=bool(one_sided[at]),
            )
            for at, feature in enumerate(features)
        ),
        pardon=pardon * float(louder),
        soft=True,
        note=note or {},
    )


def _beyond(z: Floats, directions: Floats) -> Floats:
    """How far beyond the usual, on the side that is harder; 0 for what has no direction."""
    found: Floats = np.maximum(-z * directions - KNOT, 0)
    return found


def _slopes(linear: float, hinged: float, easier: int) -> tuple[float, ...]:
    """A slope with its changes at the two knots: a hinge on the harder side bends there."""
    if hinged and easier > 0:  # harder to the left: relu(-z - 1) = -z - 1 + relu(z + 1)
        return (linear - hinged, hinged, 0.0)
    return (linear, 0.0, hinged)


def _within(values: Floats, articles: NDArray[np.intp]) -> Floats:
    """Values less the mean of their article: what differs between versions of one text."""
    sums = np.zeros((articles.max() + 1, *values.shape[1:]))
    np.add.at(sums, articles, values)
    counts = np.bincount(articles, minlength=len(sums))
    counts = counts.reshape(-1, *([1] * (values.ndim - 1)))
    means = sums / np.maximum(counts, 1)
    found: Floats = values - means[articles]
    return found


def _towards(values: Floats, wanted: Floats, prior: Floats, penalty: float) -> Floats:
    """Ridge towards a prior, scaled first to fit as well as it can, within bounds around it.

    Coordinate by coordinate, each clipped to its bounds, until nothing moves: the problem is
    convex, so where that ends does not hang on the order.
    """
    along = values @ prior
    scaled = prior * max(0.0, float(along @ wanted / (along @ along)))
    low = np.minimum(LEAST * scaled, MOST * scaled)
    high = np.maximum(LEAST * scaled, MOST * scaled)
    gram = values.T @ values / len(values)
    target = values.T @ wanted / len(values)
    weights = scaled.copy()
    for _ in range(_ROUNDS):
        before = weights.copy()
        for at in range(len(weights)):
            pull = target[at] - gram[at] @ weights + gram[at, at] * weights[at]
            best = (pull + penalty * scaled[at]) / (gram[at, at] + penalty)
            weights[at] = min(max(best, low[at]), high[at])
        if np.abs(weights - before).max() < _STILL:
            break
    return weights


_ROUNDS, _STILL = 500, 1e-7
