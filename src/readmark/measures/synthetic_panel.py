"""Made-up judges, to try the statistics of panels on: what each would rate, seeded.

A judge j sees a passage of quality q in round r and says
``3 + stretch_j (q - 3) + bias_j + drift_j (r - 1) + noise``, kept within 1 to 5 and rounded to
stars where asked. Bias, drift and the logarithm of stretch are normal between judges and fixed
for a judge; noise is drawn anew for every passage; a rating is left out at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import UsageError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

LOWEST, HIGHEST, MIDDLE = 1.0, 5.0, 3.0
ROUND = 10
"""Passages a round, as in the DARPA readability evaluation."""


@dataclass(frozen=True, slots=True)
class Traits:
    """How the judges of a panel differ from the quality and from each other."""

    bias: float = 0.3
    """Standard deviation between judges of what one adds to every rating, in stars."""
    noise: float = 0.7
    """Standard deviation within a judge, from passage to passage."""
    drift: float = 0.0
    """Standard deviation between judges of what a round adds."""
    stretch: float = 0.0
    """Standard deviation between judges of the logarithm of how wide one uses the scale."""
    stars: bool = True
    """Whether ratings are whole stars."""
    missing: float = 0.0
    """Share of ratings that are not given."""

    def __post_init__(self) -> None:
        for name in ("bias", "noise", "drift", "stretch"):
            if not 0 <= getattr(self, name) < 100:
                raise UsageError(
                    f"{name} {getattr(self, name):g} is no standard deviation in stars"
                )
        if not 0 <= self.missing < 1:
            raise UsageError(f"missing {self.missing:g} is no share below 1")


NOVICES = Traits()
EXPERTS = Traits(bias=0.15, noise=0.4)
"""Experts agree better than novices do."""


class Draws:
    """Random numbers from raw PCG64 words, which no version of numpy changes."""

    def __init__(self, seed: int) -> None:
        if seed < 0:
            raise UsageError(f"seed {seed} is negative, expected 0 or more")
        self._source = np.random.PCG64(seed)

    def uniform(self, *shape: int) -> Floats:
        """Between 0 and 1, neither of them."""
        words = self._source.random_raw(int(np.prod(shape)))
        return np.asarray(((words >> np.uint64(12)) + 0.5) * 2.0**-52).reshape(shape)

    def normal(self, *shape: int) -> Floats:
        """Of mean 0 and deviation 1 (Box and Muller, A Note on the Generation of Random Normal
        Deviates)."""
        count = int(np.prod(shape))
        one, other = self.uniform(2, -(-count // 2))
        length, turn = np.sqrt(-2 * np.log(one)), 2 * np.pi * other
        both = np.concatenate([length * np.cos(turn), length * np.sin(turn)])
        return both[:count].reshape(shape)

    def order(self, *shape: int) -> Ints:
        """Each row a random order of its places."""
        return np.argsort(self.uniform(*shape), axis=-1, kind="stable")


@dataclass(frozen=True, slots=True)
class Ratings:
    """What a panel said: ratings (passages, judges), which were given, and in which round."""

    ratings: Floats
    rated: Bools
    rounds: Ints


def rate(quality: Floats, judges: int, traits: Traits, draws: Draws) -> Ratings:
    """The ratings of fresh judges; every judge sees the passages in an order of one's own."""
    k = len(quality)
    rounds = np.empty((k, judges), dtype=np.int64)
    order = draws.order(judges, k)
    np.put_along_axis(rounds.T, order, np.arange(k)[None, :] // ROUND + 1, axis=1)
    bias = traits.bias * draws.normal(judges)
    drift = traits.drift * draws.normal(judges)
    stretch = np.exp(traits.stretch * draws.normal(judges))
    noise = traits.noise * draws.normal(k, judges)
    said = MIDDLE + stretch * (quality[:, None] - MIDDLE) + bias + drift * (rounds - 1) + noise
    rated = draws.uniform(k, judges) >= traits.missing
    return Ratings(on_scale(said, stars=traits.stars), rated, rounds)


def on_scale(said: Floats, *, stars: bool) -> Floats:
    """Within 1 to 5, and whole stars where asked, halves up."""
    rounded = np.floor(said + 0.5) if stars else said
    return np.clip(rounded, LOWEST, HIGHEST)


def qualities(passages: int, draws: Draws, *, spread: float = 1.0) -> Floats:
    """True qualities, normal about the middle and kept on the scale."""
    return on_scale(MIDDLE + spread * draws.normal(passages), stars=False)
