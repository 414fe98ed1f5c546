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

import io
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.readability.formulas.english import EnglishReadability
from readmark.readability.raters.features.chinese import CHINESE
from readmark.readability.raters.features.feature import Feature
from readmark.readability.raters.features.voices import voice_of
from readmark.readability.raters.features.word_order import BREAK, Counts, WordOrder
from readmark.readability.raters.formula_rater import FORMULAS
from readmark.readability.raters.model import EmbeddingWeights, Rater, Weighed
from readmark.readability.raters.parses import ParsedPassage
from readmark.readability.scale import HIGHEST, LOWEST, MIDDLE, clipped, squashed

# Text broken on purpose, as an example of what reads badly: seeded, and named.


_FUNCTION = frozenset({"DET", "ADP", "AUX", "PRON", "PART", "SCONJ", "CCONJ"})
_PREPOSITIONS = ("of", "to", "in", "for", "on", "with", "at", "by", "from", "about", "into", "over")
_FORMS = ("", "s", "ed", "ing")
_SIGNS = frozenset(".,;:!?)]}%'’”")


def shuffled(parsed: ParsedPassage, seed: int) -> str:
    """The words of every sentence in any order: word salad."""
    chance = random.Random(seed)
    return _by_sentence(parsed, lambda words: _mixed(words, chance, len(words)))


def jumbled(parsed: ParsedPassage, seed: int) -> str:
    """Words moved by a place or two: an order that is nearly right."""
    chance = random.Random(seed)
    return _by_sentence(parsed, lambda words: _mixed(words, chance, 3))


def dropped(parsed: ParsedPassage, seed: int) -> str:
    """Seven in ten of the articles, prepositions, pronouns and auxiliaries lost."""
    chance = random.Random(seed)
    kept = [
        at
        for at in range(len(parsed.raw))
        if parsed.pos[at] not in _FUNCTION or chance.random() > 0.7
    ]
    return _joined(parsed, [(at, parsed.raw[at]) for at in kept])


def misinflected(parsed: ParsedPassage, seed: int) -> str:
    """Half of the nouns and verbs with an ending that does not fit."""
    chance = random.Random(seed)
    words = []
    for at, form in enumerate(parsed.raw):
        if parsed.pos[at] in ("NOUN", "VERB", "AUX") and form.isalpha() and chance.random() < 0.5:
            stem = parsed.lemmas[at].rstrip("e") or form
            form = stem + chance.choice(_FORMS)
        words.append((at, form))
    return _joined(parsed, words)


def word_for_word(parsed: ParsedPassage, seed: int) -> str:
    """As an old machine translation: no articles, base forms, wrong prepositions, swapped pairs."""
    chance = random.Random(seed)
    words: list[tuple[int, str]] = []
    for at, form in enumerate(parsed.raw):
        pos = parsed.pos[at]
        if pos == "DET" and chance.random() < 0.8:
            continue
        if pos in ("VERB", "AUX") and chance.random() < 0.6:
            form = parsed.lemmas[at] or form
        elif pos == "ADP" and chance.random() < 0.5:
            form = chance.choice(_PREPOSITIONS)
        words.append((at, form))
        if len(words) > 1 and pos == "NOUN" and parsed.pos[words[-2][0]] == "ADJ":
            words[-2], words[-1] = words[-1], words[-2]
    return _joined(parsed, words)


SORTS: dict[str, tuple[Callable[[ParsedPassage, int], str], float]] = {
    "shuffled": (shuffled, 0.05),
    "jumbled": (jumbled, 0.2),
    "dropped": (dropped, 0.4),
    "misinflected": (misinflected, 0.4),
    "word_for_word": (word_for_word, 0.4),
}
"""Each sort with how much of the rating over 1 it leaves of the sound text: a convention."""


def _mixed(words: list[str], chance: random.Random, reach: int) -> list[str]:
    order = sorted(range(len(words)), key=lambda at: at + chance.random() * reach)
    return [words[at] for at in order]


def _by_sentence(parsed: ParsedPassage, change: Callable[[list[str]], list[str]]) -> str:
    made = []
    for first, last in parsed.spans:
        said = [form for form in parsed.raw[first:last] if any(map(str.isalnum, form))]
        if said:
            sentence = " ".join(change(said))
            made.append(sentence[:1].upper() + sentence[1:] + ".")
    return " ".join(made)


def _joined(parsed: ParsedPassage, words: Sequence[tuple[int, str]]) -> str:
    """Words with the spaces that go between them, signs close to the word before."""
    made: list[str] = []
    for _, form in words:
        close = form[0] in _SIGNS or form == "n't" or (made and made[-1][-1:] in "([“‘$£")
        made.append(form if close or not made else " " + form)
    return "".join(made)


Floats = NDArray[np.float64]
LEVELS = {"elementary": 3.7, "intermediate": 3.2, "advanced": 2.8}
"""What the three levels of OneStopEnglish stand for here: a convention. News for adults is no
hardest text, and its elementary version is no first reader."""
USUAL, SPREAD = 3.2, 0.8
"""Mean and spread of the ratings (before the soft ends) of sound text: stories, news, and an
encyclopaedia. A convention, too."""
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
    voices = [voice_of(feature) for feature in features]
    weights = np.array([float(feature.easier) for feature in features])
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


def fit_chinese(
    values: Floats, english: Floats, usual: Floats, *, penalty: float, note: dict[str, Any]
) -> Rater:
    """Weights near the expected ones that follow the English ratings of the same passages.

    The line that puts the sum on the scale gives the passages the mean and the spread of their
    English ratings (linear equating of one group), not the flatter line of a regression.
    """
    centre, spread = usual.mean(axis=0), usual.std(axis=0) + 1e-6
    z = np.clip((values - centre) / spread, -LIMIT, LIMIT)
    wanted = np.array([unsquashed(rating) for rating in english.tolist()])
    weights = _towards(z - z.mean(axis=0), wanted - wanted.mean(), expected(CHINESE), penalty)
    weights = weights * float(wanted.std() / (z @ weights).std())
    return Rater(
        language="zh",
        base=float(wanted.mean() - (z @ weights).mean()),
        knots=(),
        features=tuple(
            Weighed(
                name=feature.name,
                centre=float(centre[at]),
                spread=float(spread[at]),
                limit=LIMIT,
                slopes=(float(weights[at]),),
            )
            for at, feature in enumerate(CHINESE)
        ),
        soft=True,
        note=note,
    )


LOUD = 1.0
"""How loud the encoder is: as all features together."""


def add_meaning(
    rater: Rater,
    values: Floats,
    embeddings: Floats,
    judged: Floats,
    *,
    penalty: float,
    encoder: str,
) -> Rater:
    """The rater with weights of embeddings, taught by passages that were judged whole.

    A ridge over standardised embeddings, solved in the space of passages. The judged passages keep
    the mean and the spread that the features alone give them, so that the scale stays.
    """
    breaks = np.array([feature.breaks for feature in rater.features])
    said = rater.gains(values)[:, ~breaks].sum(axis=1)
    centre, spread = embeddings.mean(axis=0), embeddings.std(axis=0) + 1e-6
    z = (embeddings - centre) / spread
    kernel = z @ z.T
    length = float(np.trace(kernel)) / len(kernel)
    held = kernel / length + penalty * np.eye(len(kernel))
    weights = z.T @ np.linalg.solve(held, judged - judged.mean()) / length
    weights *= LOUD * said.std() / (z @ weights).std()
    louder = float(said.std() / (said + z @ weights).std())
    axes = weights * louder / spread
    usual = float(centre @ axes) - float(said.mean()) * (1 - louder)
    return msgspec.structs.replace(
        rater,
        features=tuple(
            one
            if one.breaks
            else msgspec.structs.replace(one, slopes=tuple(x * louder for x in one.slopes))
            for one in rater.features
        ),
        meaning=EmbeddingWeights(tuple(axes.tolist()), usual, encoder),
    )


def rate_rows(rater: Rater, values: Floats, embeddings: Floats | None = None) -> Floats:
    """The ratings of rows of features, without learned words; embeddings where it weighs them."""
    gains = rater.gains(values)
    breaks = np.array([feature.breaks for feature in rater.features])
    raw = rater.base + gains[:, ~breaks].sum(axis=1)
    if rater.meaning is not None and embeddings is not None:
        raw += embeddings @ np.array(rater.meaning.weights) - rater.meaning.base
    end = squashed if rater.soft else clipped
    sound = np.array([end(one) for one in raw.tolist()])
    damage = -gains[:, breaks].sum(axis=1)
    left: Floats = np.exp(-np.maximum(0.0, damage - rater.pardon))
    return LOWEST + (sound - LOWEST) * left


# The tables that ship: formulas as ratings, odds of words, the order of words.


def unsquashed(rating: float) -> float:
    """The unbounded number behind a rating that is inside the scale."""
    half = (HIGHEST - LOWEST) / 2
    return MIDDLE + half * math.atanh((rating - MIDDLE) / half)


def fit_formulas(found: Sequence[EnglishReadability | None], levels: Sequence[str]) -> str:
    """The table of anchors as JSON: means by level, made monotone by pooling."""
    table = {}
    for formula in FORMULAS:
        points = []
        for level, rating in LEVELS.items():
            values = [
                getattr(one, formula)
                for one, own in zip(found, levels, strict=True)
                if own == level and one is not None
            ]
            points.append((fmean(values), unsquashed(rating)))
        table[formula] = _monotone(sorted(points))
    short = {name: [[round(x, 4), round(y, 4)] for x, y in one] for name, one in table.items()}
    return msgspec.json.format(msgspec.json.encode(short), indent=1).decode() + "\n"


def _monotone(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points whose ratings run one way; a middle one that does not is left out."""
    falling = points[-1][1] < points[0][1]
    kept = [points[0]]
    for point in points[1:-1]:
        last, end = kept[-1][1], points[-1][1]
        if (last > point[1] > end) if falling else (last < point[1] < end):
            kept.append(point)
    return [*kept, points[-1]]


def odds_lines(odds: dict[str, float], head: str) -> str:
    """A table of odds as a file: one line per value."""
    by_value: dict[float, list[str]] = {}
    for word, value in odds.items():
        by_value.setdefault(value, []).append(word)
    lines = [f"{value:g}\t{' '.join(sorted(by_value[value]))}" for value in sorted(by_value)]
    return "\n".join([f"# {head}", *lines, ""])


def learn(symbols: dict[str, int], runs: list[Counts], *, least: int) -> WordOrder:
    """Count runs of symbols; each run is a sentence that begins with two breaks."""
    size = len(symbols)
    whole = np.concatenate(runs)
    here = whole[2:]
    kept = here != symbols[BREAK]
    here, one, two = here[kept], whole[1:-1][kept], whole[:-2][kept]
    singles = np.bincount(here, minlength=size).astype(np.int64)
    pairs = np.unique(one * size + here, return_counts=True)
    triples = np.unique((two * size + one) * size + here, return_counts=True)
    often = triples[1] >= least
    return WordOrder(symbols, singles, *pairs, triples[0][often], triples[1][often])


def packed(model: WordOrder) -> bytes:
    """The model as a compressed numpy archive; keys as differences, which pack well."""
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        symbols=np.array(list(model.symbols)),
        singles=model.singles.astype(np.uint32),
        pair_steps=np.diff(model.pair_keys, prepend=0).astype(np.uint32),
        pair_counts=model.pair_counts.astype(np.uint32),
        triple_steps=np.diff(model.triple_keys, prepend=0).astype(np.uint32),
        triple_counts=np.minimum(model.triple_counts, 65535).astype(np.uint16),
    )
    return stream.getvalue()
