"""How often a rater passes the test against novices, by simulation with made-up panels.

The same simulation answers three questions. Of a rater with a true advantage: the power. Of a
fresh draw from the novices for every passage: whether the test errs as seldom as it says. Of one
more novice, who is the same person on every passage: how far the test is inflated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.readability.panels.novices import (
    ALPHA,
    METRICS,
    NovicePanel,
    against_judges,
    verdicts,
    worth,
)
from readmark.readability.scale import HIGHEST, LOWEST, MIDDLE
from readmark.statistics.draws import MOST_DRAWS

# Made-up judges, to try the statistics of panels on: what each would rate, seeded.


ROUND = 10
"""Passages a round, as in the DARPA readability evaluation."""


@dataclass(frozen=True, slots=True)
class JudgeTraits:
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
                    f"{name} {getattr(self, name):g} is not a standard deviation in stars"
                )
        if not 0 <= self.missing < 1:
            raise UsageError(f"missing {self.missing:g} is not a share below 1")


NOVICES = JudgeTraits()
EXPERTS = JudgeTraits(bias=0.15, noise=0.4)
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
class SyntheticRatings:
    """What a panel said: ratings (passages, judges), which were given, and in which round."""

    ratings: Floats
    rated: Bools
    rounds: Ints


def rate(quality: Floats, judges: int, traits: JudgeTraits, draws: Draws) -> SyntheticRatings:
    """The ratings of fresh judges; every judge sees the passages in a different order."""
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
    return SyntheticRatings(on_scale(said, stars=traits.stars), rated, rounds)


def on_scale(ratings: Floats, *, stars: bool) -> Floats:
    """Within 1 to 5, and whole stars where asked, halves up."""
    rounded = np.floor(ratings + 0.5) if stars else ratings
    return np.clip(rounded, LOWEST, HIGHEST)


def qualities(passages: int, draws: Draws, *, spread: float = 1.0) -> Floats:
    """True qualities, normal about the middle and kept on the scale."""
    return on_scale(MIDDLE + spread * draws.normal(passages), stars=False)


_ROUNDING = 1 / 12
"""The variance that rounding to whole stars adds."""


def observed_traits(ratings: Floats, *, stars: bool = True) -> JudgeTraits:
    """The traits of judges who gave these ratings (passages, judges); NaN where none was given.

    A rating is taken as a passage's level plus the judge's bias plus noise, by least squares. What
    rounding and noise add to the deviations is taken off; drift and stretch are taken as none.
    """
    passages, judges = np.nonzero(np.isfinite(ratings))
    if len(set(judges.tolist())) < 2 or len(set(passages.tolist())) < 2:
        raise UsageError("how judges differ takes two of them and two passages or more")
    count, people = ratings.shape
    cells = np.zeros((len(passages), count + people))
    cells[np.arange(len(passages)), passages] = 1.0
    cells[np.arange(len(passages)), count + judges] = 1.0
    given = ratings[passages, judges]
    effects, _, rank, _ = np.linalg.lstsq(cells, given, rcond=None)
    left = len(given) - int(rank)
    if left < 1:
        raise UsageError("how judges differ takes passages that two of them have rated")
    noise = float(((given - cells @ effects) ** 2).sum()) / left
    biases = effects[count:][np.unique(judges)]
    per_judge = len(given) / len(biases)
    bias = float(biases.var(ddof=1)) - noise / per_judge
    noise -= _ROUNDING if stars else 0.0
    return JudgeTraits(
        bias=math.sqrt(max(bias, 0.0)),
        noise=math.sqrt(max(noise, 0.0)),
        missing=1.0 - len(given) / ratings.size,
        stars=stars,
    )


RATERS = ("advantage", "drawn", "novice")
"""What simulates the machine: a rater with an advantage, a novice drawn per passage, a novice."""
MOST_PANELS = 100_000
MOST_PASSAGES = 100_000
MOST_JUDGES = 1_000
LEAST_DRAWS = 39


@dataclass(frozen=True, slots=True)
class Design:
    """A panel to be made up: how many of what, and how they rate."""

    passages: int = 100
    experts: int = 3
    novices: int = 8
    expert_traits: JudgeTraits = EXPERTS
    novice_traits: JudgeTraits = NOVICES
    spread: float = 1.0
    """Standard deviation of the passages' true qualities."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("passages", 2, MOST_PASSAGES),
            ("experts", 1, MOST_JUDGES),
            ("novices", 2, MOST_JUDGES),
        ):
            if not least <= (count := getattr(self, name)) <= most:
                raise UsageError(f"{name} must be from {least} to {most:,}, found {count:,}")


@dataclass(frozen=True, slots=True)
class PassRate:
    """A share of simulated panels, with the simulation's own error."""

    share: float
    panels: int

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95% (Wilson, Probable Inference, the Law of Succession, and Statistical Inference)."""
        z, n = 1.959964, self.panels
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        reach = self.share * (1 - self.share) / n + z * z / (4 * n * n)
        away = z * math.sqrt(reach) / (1 + z * z / n)
        return max(0.0, middle - away), min(1.0, middle + away)

    @property
    def passed(self) -> int:
        """How many panels it was."""
        return round(self.share * self.panels)


@dataclass(frozen=True, slots=True)
class PassRates:
    """How often a rater passed in a design: by each metric, by all three, against whole judges."""

    design: Design
    rater: str
    drawn: dict[str, PassRate]
    """By the document's test."""
    judges: dict[str, PassRate]
    """Against whole judges at the same level; none can be where the novices are too few."""
    mean: dict[str, float] = field(default_factory=dict)
    """The mean of each metric over the panels."""


_POPULATION = 400, 50
"""The panels and the passages of each on which a rater's noise is found."""


def machine_noise(design: Design, advantage: float, *, seed: int = 1) -> float:
    """The noise of a rater without bias whose mean score difference is the advantage, in stars.

    Found by halving on one large made-up population. An advantage that even a rater who knows
    every quality lacks is refused.
    """
    draws = Draws(seed)
    # Many small panels, since a few judges have biases of their own.
    made = [_people(design, _POPULATION[1], draws) for _ in range(_POPULATION[0])]
    quality = np.concatenate([people.quality for people in made])
    gold = np.concatenate([people.gold for people in made])
    away = np.concatenate(
        [
            np.abs(people.novice_ratings - MIDDLE - people.gold[:, None])[people.rated]
            for people in made
        ]
    )
    target = float(away.mean()) - advantage
    errors = draws.normal(len(quality))

    def distance(noise: float) -> float:
        said = on_scale(quality + noise * errors, stars=False)
        return float(np.abs(said - MIDDLE - gold).mean())

    if distance(0.0) > target:
        most = target + advantage - distance(0.0)
        raise UsageError(
            f"advantage {advantage:g} cannot be: the largest here is {decimal(most)} stars"
        )
    low, high = 0.0, 8.0
    if distance(high) < target:
        raise UsageError(f"advantage {advantage:g} is below that of a rater who guesses")
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if distance(middle) < target else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class _People:
    """The qualities of passages, the experts' gold and ranges, and the novices' ratings."""

    quality: Floats
    gold: Floats
    experts: SyntheticRatings
    novice_ratings: Floats
    rated: Bools


def _people(design: Design, passages: int, draws: Draws) -> _People:
    quality = qualities(passages, draws, spread=design.spread)
    experts = rate(quality, design.experts, replace(design.expert_traits, missing=0.0), draws)
    novices = rate(quality, design.novices, design.novice_traits, draws)
    gold = experts.ratings.mean(axis=1) - MIDDLE
    rated = novices.rated.copy()
    rated[~rated.any(axis=1), 0] = True  # somebody must stand in
    return _People(quality, gold, experts, novices.ratings, rated)


def simulate(design: Design, rater: str, noise: float, draws: Draws) -> tuple[NovicePanel, Floats]:
    """One panel, and what its machine's ratings are worth (passages, 10)."""
    people = _people(design, design.passages, draws)
    every = np.arange(design.passages)
    match rater:
        case "drawn":
            rated = people.rated
            places = (draws.uniform(design.passages) * rated.sum(axis=1)).astype(np.int64)
            novices = np.argsort(~rated, axis=1, kind="stable")[every, places]
            machine = people.novice_ratings[every, novices]
        case "novice":
            whole = replace(design.novice_traits, missing=0.0)
            machine = rate(people.quality, 1, whole, draws).ratings[:, 0]
        case _:
            machine = on_scale(people.quality + noise * draws.normal(len(every)), stars=False)
    # The target takes ratings rounded to stars, as the metric does where experts gave stars.
    hit = hits(people.experts, on_scale(machine, stars=True)[:, None])
    their = hits(people.experts, people.novice_ratings)
    panel = NovicePanel.of(people.gold, people.rated, people.novice_ratings - MIDDLE, their)
    return panel, worth(panel.gold, machine - MIDDLE, hit[:, 0])


def hits(experts: SyntheticRatings, ratings: Floats) -> Floats:
    """What ratings (passages, judges) earn by the experts' ranges."""
    low = experts.ratings.min(axis=1, keepdims=True)
    high = experts.ratings.max(axis=1, keepdims=True)
    return np.where((low <= ratings) & (ratings <= high), 1 / (1 + high - low), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """How the rater under test rates, and how many panels are made up."""

    rater: str = "advantage"
    advantage: float = 0.2
    """How many stars closer to the gold than the mean novice a rater ``advantage`` is."""
    panels: int = 400
    draws: int = 999
    """Draws for the null of each panel."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.rater not in RATERS:
            raise UsageError(f"rater {self.rater!r} is not one of {'|'.join(RATERS)}")
        if not 1 <= self.panels <= MOST_PANELS:
            raise UsageError(f"panels must be from 1 to {MOST_PANELS:,}, found {self.panels:,}")
        if not LEAST_DRAWS <= self.draws <= MOST_DRAWS:
            raise UsageError(
                f"draws must be from {LEAST_DRAWS} (for p 0.025) to {MOST_DRAWS:,}, "
                f"found {self.draws:,}"
            )


def passing(
    design: Design, by: Simulation, *, progress: Callable[[], None] = lambda: None
) -> PassRates:
    """How often the rater passes over the made-up panels; ``progress`` is called after each."""
    seed, panels = by.seed, by.panels
    noise = machine_noise(design, by.advantage, seed=seed) if by.rater == "advantage" else 0.0
    random = Draws(seed)
    drawn = np.zeros(len(METRICS) + 1)
    judged = np.zeros(len(METRICS) + 1)
    seen = np.zeros(len(METRICS))
    for index in range(panels):
        panel, machine = simulate(design, by.rater, noise, random)
        novice_verdicts = verdicts(panel, machine, panel.null(seed=seed + index, draws=by.draws))
        passes = np.array([verdict.better for verdict in novice_verdicts])
        drawn += [*passes, passes.all()]
        whole = np.array([judge.p <= ALPHA for judge in against_judges(panel, machine)])
        judged += [*whole, whole.all()]
        seen += np.nan_to_num([verdict.observed for verdict in novice_verdicts])
        progress()
    names = (*METRICS, "all")
    return PassRates(
        design,
        by.rater,
        {
            name: PassRate(float(one) / panels, panels)
            for name, one in zip(names, drawn, strict=True)
        },
        {
            name: PassRate(float(one) / panels, panels)
            for name, one in zip(names, judged, strict=True)
        },
        {name: float(one) / panels for name, one in zip(METRICS, seen, strict=True)},
    )


SIZES = (10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800, 1000)
"""The numbers of passages that are tried."""


def needed(
    design: Design,
    metric: str,
    by: Simulation,
    *,
    power: float = 0.8,
    sizes: Sequence[int] = SIZES,
    known: dict[int, PassRates] | None = None,
) -> PassRates | None:
    """The fewest passages of the sizes with which so much power is reached; None where none is.

    ``known`` holds what other metrics' searches simulated of the same design.
    """
    known = {} if known is None else known
    low, high = 0, len(sizes)
    best: PassRates | None = None
    while low < high:  # power grows with the passages
        middle = (low + high) // 2
        size = sizes[middle]
        if size not in known:
            known[size] = passing(replace(design, passages=size), by)
        if known[size].drawn[metric].share >= power:
            best, high = known[size], middle
        else:
            low = middle + 1
    return best


SYNTHETIC, SYNTHETIC_NAME = "synthetic", " (synthetic panel)"
"""The field of a header that says that ratings are made up, and what its name ends in."""
