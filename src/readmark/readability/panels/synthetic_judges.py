"""Synthetic judges: what each would rate, drawn from a seed, to try the statistics of panels on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.errors import UsageError
from readmark.readability.panels.rounds import ROUND
from readmark.readability.scale import HIGHEST, LOWEST, MIDDLE

SYNTHETIC, SYNTHETIC_NAME = "synthetic", " (synthetic panel)"
"""The field of a header that says that ratings are made up, and what the test's name ends in."""
_MOST_DEVIATION = 100
_ROUNDING = 1 / 12
"""The variance that rounding to whole stars adds."""


@dataclass(frozen=True, slots=True)
class JudgeTraits:
    """How the ratings of a panel's judges differ from the passages' qualities and from each other.

    A judge j who sees quality q in round r rates it 3 + stretch_j (q - 3) + bias_j +
    drift_j (r - 1) + noise.
    """

    bias: float = 0.3
    """Standard deviation between judges of what each adds to all ratings, in stars."""
    noise: float = 0.7
    """Standard deviation within a judge, from passage to passage."""
    drift: float = 0.0
    """Standard deviation between judges of what each adds from round to round."""
    stretch: float = 0.0
    """Standard deviation between judges of the logarithm of how widely each uses the scale."""
    stars: bool = True
    """Whether ratings are whole stars."""
    missing: float = 0.0
    """Share of ratings that are not given."""

    def __post_init__(self) -> None:
        for name in ("bias", "noise", "drift", "stretch"):
            deviation = getattr(self, name)
            if not 0 <= deviation < _MOST_DEVIATION:
                raise UsageError(f"{name} {deviation:g} is not a standard deviation in stars")
        if not 0 <= self.missing < 1:
            raise UsageError(f"missing {self.missing:g} is not a share below 1")


NOVICES = JudgeTraits()
EXPERTS = JudgeTraits(bias=0.15, noise=0.4)
"""Experts agree better with each other than novices do."""


class Draws:
    """Random numbers from raw words of PCG64, which are the same in every version of numpy."""

    def __init__(self, seed: int) -> None:
        if seed < 0:
            raise UsageError(f"seed {seed} is negative, expected 0 or more")
        self._source = np.random.PCG64(seed)

    def uniform(self, *shape: int) -> Floats:
        """Between 0 and 1, and never equal to either."""
        words = self._source.random_raw(int(np.prod(shape)))
        return np.asarray(((words >> np.uint64(12)) + 0.5) * 2.0**-52).reshape(shape)

    def normal(self, *shape: int) -> Floats:
        """Normal, of mean 0 and deviation 1.

        By Box and Muller, A Note on the Generation of Random Normal Deviates.
        """
        count = int(np.prod(shape))
        first, second = self.uniform(2, -(-count // 2))
        length, angle = np.sqrt(-2 * np.log(first)), 2 * np.pi * second
        deviates = np.concatenate([length * np.cos(angle), length * np.sin(angle)])
        return deviates[:count].reshape(shape)

    def order(self, *shape: int) -> Ints:
        """A random order of the places in each row."""
        return np.argsort(self.uniform(*shape), axis=-1, kind="stable")


@dataclass(frozen=True, slots=True)
class SyntheticRatings:
    """A panel's ratings (passages, judges), which of them there are, and in which round."""

    ratings: Floats
    rated: Bools
    rounds: Ints


def rate(quality: Floats, judges: int, traits: JudgeTraits, draws: Draws) -> SyntheticRatings:
    """The ratings of new judges; every judge sees the passages in an order of their own."""
    passages = len(quality)
    rounds = np.empty((passages, judges), dtype=np.int64)
    order = draws.order(judges, passages)
    np.put_along_axis(rounds.T, order, np.arange(passages)[None, :] // ROUND + 1, axis=1)
    bias = traits.bias * draws.normal(judges)
    drift = traits.drift * draws.normal(judges)
    stretch = np.exp(traits.stretch * draws.normal(judges))
    noise = traits.noise * draws.normal(passages, judges)
    ratings = MIDDLE + stretch * (quality[:, None] - MIDDLE) + bias + drift * (rounds - 1) + noise
    rated = draws.uniform(passages, judges) >= traits.missing
    return SyntheticRatings(on_scale(ratings, stars=traits.stars), rated, rounds)


def on_scale(ratings: Floats, *, stars: bool) -> Floats:
    """Ratings cut at the ends of the scale; with ``stars`` rounded to whole ones, halves up."""
    rounded = np.floor(ratings + 0.5) if stars else ratings
    return np.clip(rounded, LOWEST, HIGHEST)


def qualities(passages: int, draws: Draws, *, spread: float = 1.0) -> Floats:
    """True qualities of passages, normal about the middle and cut at the ends of the scale."""
    return on_scale(MIDDLE + spread * draws.normal(passages), stars=False)


def observed_traits(ratings: Floats, *, stars: bool = True) -> JudgeTraits:
    """The traits of judges with these ratings (passages, judges), NaN where one is missing.

    A rating is taken as a passage's level plus the judge's bias plus noise, by least squares. What
    rounding and noise add to the deviations is subtracted; there is taken to be no drift or
    stretch.
    """
    passages, judges = np.nonzero(np.isfinite(ratings))
    if len(set(judges.tolist())) < 2 or len(set(passages.tolist())) < 2:
        raise UsageError("two judges and two passages are needed to tell how judges differ")
    values = ratings[passages, judges]
    # A row per rating: 1 in the columns of its passage and of its judge.
    passage_count, judge_count = ratings.shape
    design = np.zeros((len(values), passage_count + judge_count))
    design[np.arange(len(values)), passages] = 1.0
    design[np.arange(len(values)), passage_count + judges] = 1.0
    effects, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    degrees_of_freedom = len(values) - int(rank)
    if degrees_of_freedom < 1:
        raise UsageError("too few passages have two judges to tell how judges differ")
    noise_variance = float(((values - design @ effects) ** 2).sum()) / degrees_of_freedom
    biases = effects[passage_count:][np.unique(judges)]
    ratings_per_judge = len(values) / len(biases)
    bias_variance = float(biases.var(ddof=1)) - noise_variance / ratings_per_judge
    if stars:
        noise_variance -= _ROUNDING
    return JudgeTraits(
        bias=math.sqrt(max(bias_variance, 0.0)),
        noise=math.sqrt(max(noise_variance, 0.0)),
        missing=1.0 - len(values) / ratings.size,
        stars=stars,
    )
