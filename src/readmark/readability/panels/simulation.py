"""How often a rater passes the test against novices, by simulation with synthetic panels.

The rater decides which question is answered. A rater with a true advantage: the power of the test.
A fresh draw from the novices for every passage: whether the test errs as seldom as it says. One
more novice, who is the same person on every passage: how far the test is inflated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from readmark.core.arrays import Bools, Floats
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
from readmark.readability.panels.synthetic_judges import (
    EXPERTS,
    NOVICES,
    Draws,
    JudgeTraits,
    SyntheticRatings,
    on_scale,
    qualities,
    rate,
)
from readmark.readability.scale import MIDDLE
from readmark.statistics.draws import MOST_DRAWS

RATERS = ("advantage", "drawn", "novice")
"""Who stands for the machine: a rater with an advantage, a novice drawn per passage, a novice."""
MOST_PANELS = 100_000
MOST_PASSAGES = 100_000
MOST_JUDGES = 1_000
LEAST_DRAWS = 39
"""With fewer no p is as low as 0.025: the least is 1 / (draws + 1)."""
SIZES = (10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800, 1000)
"""The numbers of passages that are tried."""

_POPULATION = 400, 50
"""The panels, and the passages of each, on which the noise of a rater is determined."""
_MOST_NOISE = 8.0
"""In stars: a rater with so much noise guesses."""
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Design:
    """A panel to simulate: how many passages and judges, and how they rate."""

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
    """The share of simulated panels in which a rater passed."""

    share: float
    panels: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the simulation.

        By Wilson, Probable Inference, the Law of Succession, and Statistical Inference.
        """
        z, n = 1.959964, self.panels
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        variance = self.share * (1 - self.share) / n + z * z / (4 * n * n)
        distance = z * math.sqrt(variance) / (1 + z * z / n)
        return max(0.0, middle - distance), min(1.0, middle + distance)

    @property
    def passed(self) -> int:
        """How many panels that is."""
        return round(self.share * self.panels)


@dataclass(frozen=True, slots=True)
class PassRates:
    """How often a rater passed in a design: by each metric, by all three, against whole judges."""

    design: Design
    rater: str
    drawn: dict[str, PassRate]
    """By the null of novices drawn for each passage."""
    judges: dict[str, PassRate]
    """Against whole judges at the same level; with fewer than 39 novices nobody can pass."""
    mean: dict[str, float] = field(default_factory=dict)
    """The mean of each metric over the panels."""


def machine_noise(design: Design, advantage: float, *, seed: int = 1) -> float:
    """The noise of a rater without bias whose mean score difference is the advantage, in stars.

    It is determined by halving, on one large synthetic population. An advantage beyond that of a
    rater who knows every quality is refused.
    """
    draws = Draws(seed)
    # Many small panels, since the biases of a few judges would not average out.
    panels, passages = _POPULATION
    population = [_people(design, passages, draws) for _ in range(panels)]
    quality = np.concatenate([people.quality for people in population])
    gold = np.concatenate([people.gold for people in population])
    novices_distances = np.concatenate(
        [
            np.abs(people.novice_ratings - MIDDLE - people.gold[:, None])[people.rated]
            for people in population
        ]
    )
    novices_distance = float(novices_distances.mean())
    target = novices_distance - advantage
    errors = draws.normal(len(quality))

    def distance(noise: float) -> float:
        ratings = on_scale(quality + noise * errors, stars=False)
        return float(np.abs(ratings - MIDDLE - gold).mean())

    if distance(0.0) > target:
        most = decimal(novices_distance - distance(0.0))
        raise UsageError(f"advantage {advantage:g} is impossible: the largest here is {most} stars")
    low, high = 0.0, _MOST_NOISE
    if distance(high) < target:
        raise UsageError(f"advantage {advantage:g} is below that of a rater who guesses")
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if distance(middle) < target else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class _People:
    """The qualities of passages, the experts and their mean, and the novices' ratings.

    The gold is counted from the middle of the scale.
    """

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
    rated[~rated.any(axis=1), 0] = True  # of every passage somebody's rating must be there to draw
    return _People(quality, gold, experts, novices.ratings, rated)


def simulate(design: Design, rater: str, noise: float, draws: Draws) -> tuple[NovicePanel, Floats]:
    """One panel, and the worth of its machine's ratings (passages, 10)."""
    people = _people(design, design.passages, draws)
    match rater:
        case "drawn":
            rated = people.rated
            places = (draws.uniform(design.passages) * rated.sum(axis=1)).astype(np.int64)
            passages = np.arange(design.passages)
            novices = np.argsort(~rated, axis=1, kind="stable")[passages, places]
            machine = people.novice_ratings[passages, novices]
        case "novice":
            complete = replace(design.novice_traits, missing=0.0)
            machine = rate(people.quality, 1, complete, draws).ratings[:, 0]
        case _:
            errors = draws.normal(design.passages)
            machine = on_scale(people.quality + noise * errors, stars=False)
    # The target takes ratings rounded to stars, as the metric does where experts gave stars.
    machine_hits = hits(people.experts, on_scale(machine, stars=True)[:, None])[:, 0]
    novice_hits = hits(people.experts, people.novice_ratings)
    panel = NovicePanel.of(people.gold, people.rated, people.novice_ratings - MIDDLE, novice_hits)
    return panel, worth(panel.gold, machine - MIDDLE, machine_hits)


def hits(experts: SyntheticRatings, ratings: Floats) -> Floats:
    """The proportional target of ratings (passages, judges) by the experts' ranges."""
    low = experts.ratings.min(axis=1, keepdims=True)
    high = experts.ratings.max(axis=1, keepdims=True)
    return np.where((low <= ratings) & (ratings <= high), 1 / (1 + high - low), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """How the rater under test rates, and how many panels are simulated."""

    rater: str = "advantage"
    advantage: float = 0.2
    """How many stars closer to the gold than the mean novice the rater with an advantage is."""
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
    """How often the rater passes in simulated panels; ``progress`` is called after each panel."""
    noise = machine_noise(design, by.advantage, seed=by.seed) if by.rater == "advantage" else 0.0
    draws = Draws(by.seed)
    # By each metric, and by all three.
    passes_by_draws = np.zeros(len(METRICS) + 1)
    passes_by_judges = np.zeros(len(METRICS) + 1)
    sums = np.zeros(len(METRICS))
    for index in range(by.panels):
        panel, machine = simulate(design, by.rater, noise, draws)
        null = panel.null(seed=by.seed + index, draws=by.draws)
        by_metric = verdicts(panel, machine, null)
        passed = [verdict.better for verdict in by_metric]
        passes_by_draws += [*passed, all(passed)]
        passed = [judges.p <= ALPHA for judges in against_judges(panel, machine)]
        passes_by_judges += [*passed, all(passed)]
        sums += np.nan_to_num([verdict.observed for verdict in by_metric])
        progress()
    return PassRates(
        design,
        by.rater,
        drawn=_rates(passes_by_draws, by.panels),
        judges=_rates(passes_by_judges, by.panels),
        mean={name: float(total) / by.panels for name, total in zip(METRICS, sums, strict=True)},
    )


def _rates(passes: Floats, panels: int) -> dict[str, PassRate]:
    names = (*METRICS, "all")
    return {
        name: PassRate(float(count) / panels, panels)
        for name, count in zip(names, passes, strict=True)
    }


def needed(
    design: Design,
    metric: str,
    by: Simulation,
    *,
    power: float = 0.8,
    sizes: Sequence[int] = SIZES,
    known: dict[int, PassRates] | None = None,
) -> PassRates | None:
    """The rates with the fewest passages that reach a power; None where no size does.

    ``known`` holds the rates of sizes that the searches of other metrics have simulated.
    """
    known = {} if known is None else known
    low, high = 0, len(sizes)
    best: PassRates | None = None
    while low < high:  # by halving, since power grows with the passages
        middle = (low + high) // 2
        size = sizes[middle]
        if size not in known:
            known[size] = passing(replace(design, passages=size), by)
        if known[size].drawn[metric].share >= power:
            best, high = known[size], middle
        else:
            low = middle + 1
    return best
