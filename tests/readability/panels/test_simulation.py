"""The test against novices on synthetic panels: its error, its inflation, and its power."""

from dataclasses import replace

import numpy as np
import pytest

from installed import Lazy
from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.readability.panels.novices import ALPHA, METRICS, NovicePanel
from readmark.readability.panels.simulation import (
    Design,
    PassRate,
    Simulation,
    machine_noise,
    needed,
    passing,
    simulate,
)
from readmark.readability.panels.synthetic_judges import Draws, JudgeTraits
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import bootstrap

stats = Lazy("scipy.stats")

SMALL = Design(passages=40, novices=6)
WIDE = JudgeTraits(stretch=0.3, drift=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        SMALL,
        Design(passages=30, novices=8, novice_traits=JudgeTraits(bias=0.5, noise=0.7, missing=0.2)),
        Design(
            passages=20, experts=5, novices=4, novice_traits=JudgeTraits(stretch=0.3, drift=0.1)
        ),
    ],
)
def test_a_fresh_draw_from_the_novices_is_called_better_at_most_as_often_as_said(
    design: Design,
) -> None:
    """Over many panels the share stays below 2.5%, within an exact bound of the simulation."""
    panels = 600
    rates = passing(design, Simulation(rater="drawn", panels=panels, draws=399, seed=11))
    most = int(stats.binom.ppf(0.9999, panels, ALPHA))
    for name in METRICS:
        assert rates.drawn[name].passed <= most
    # A test that nobody ever passes would hold its level as well.
    assert sum(rates.drawn[name].passed for name in METRICS) > 0


@pytest.mark.slow
def test_a_persistent_novice_with_a_bias_passes_far_more_often() -> None:
    design = Design(passages=100, novices=8, novice_traits=JudgeTraits(bias=0.5, noise=0.7))
    rates = passing(design, Simulation(rater="novice", panels=200, draws=399, seed=5))
    least = int(stats.binom.ppf(0.9999, 200, 2 * ALPHA))
    for name in METRICS:
        assert rates.drawn[name].passed > least
    # Against whole judges so few novices cannot give p 0.025 at all.
    assert rates.judges["all"].passed == 0


@pytest.mark.slow
def test_whole_judges_hold_their_level_where_they_can() -> None:
    design = Design(passages=20, novices=39, novice_traits=JudgeTraits(bias=0.5, noise=0.7))
    rates = passing(design, Simulation(rater="novice", panels=300, draws=99, seed=2))
    most = int(stats.binom.ppf(0.9999, 300, ALPHA))
    for name in METRICS:
        assert rates.judges[name].passed <= most


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """The bootstrap over passages, of judges who differ in nothing but noise."""
    plain = JudgeTraits(bias=0, noise=0.6)
    design = Design(passages=60, novices=5, expert_traits=plain, novice_traits=plain)

    def aggregate(sums: Floats) -> Floats:
        return np.asarray((sums[..., 1] - sums[..., 0]) / sums[..., 2])

    def vectors(panel: NovicePanel, machine: Floats) -> Floats:
        mean = panel.cells[..., 0].sum(axis=1) / panel.rated.sum(axis=1)
        return np.column_stack([machine[:, 0], mean, np.ones(panel.passages)])

    large = replace(design, passages=20_000)
    truth = float(aggregate(vectors(*simulate(large, "advantage", 0.4, Draws(1))).sum(axis=0)))
    draws, panels, covered = Draws(2), 300, 0
    for seed in range(panels):
        rows = vectors(*simulate(design, "advantage", 0.4, draws))
        low, high = interval(bootstrap(rows, aggregate, seed=seed, draws=500))
        assert low is not None
        assert high is not None
        covered += low <= truth <= high
    # Percentile intervals of 60 passages are a little narrow: 94% and not 95.
    assert stats.binom.ppf(0.0001, panels, 0.94) <= covered <= stats.binom.ppf(0.9999, panels, 0.96)


@pytest.mark.slow
def test_the_advantage_is_what_was_asked_for() -> None:
    rates = passing(SMALL, Simulation(advantage=0.15, panels=300, draws=99, seed=4))
    assert rates.mean["score_difference"] == pytest.approx(0.15, abs=0.03)
    none = passing(SMALL, Simulation(advantage=0.0, panels=300, draws=99, seed=4))
    assert none.mean["score_difference"] == pytest.approx(0.0, abs=0.03)


@pytest.mark.slow
def test_power_grows_with_the_advantage_and_the_passages() -> None:
    shares = [
        passing(
            Design(passages=passages, novices=6),
            Simulation(advantage=advantage, panels=100, draws=199, seed=3),
        ).drawn["score_difference"].share
        for passages, advantage in ((20, 0.1), (80, 0.1), (80, 0.25))
    ]  # fmt: skip
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.slow
def test_power_as_computed_and_as_simulated_apart() -> None:
    """A normal approximation, worked apart, of the power by score difference."""
    design = Design(passages=60, novices=10)
    noise = machine_noise(design, 0.15, seed=1)
    draws = Draws(99)
    passes = []
    for _ in range(300):
        panel, machine = simulate(design, "advantage", noise, draws)
        distances = panel.cells[..., 0]
        variance = distances.var(axis=1).sum() / panel.passages**2  # of the mean of fresh draws
        observed = float(panel.values(machine.sum(axis=0))[0])
        passes.append(observed > 1.96 * np.sqrt(variance))
    share = float(np.mean(passes))
    rates = passing(design, Simulation(advantage=0.15, panels=300, draws=399, seed=1))
    assert rates.drawn["score_difference"].share == pytest.approx(share, abs=0.12)


@pytest.mark.slow
def test_the_passages_that_a_power_takes() -> None:
    rates = needed(
        Design(novices=6),
        "score_difference",
        Simulation(advantage=0.3, panels=60, draws=99),
        sizes=(10, 40, 90),
    )
    assert rates is not None
    assert rates.drawn["score_difference"].share >= 0.8
    assert rates.design.passages in (10, 40, 90)
    by = Simulation(advantage=0.0, panels=60, draws=99)
    never = needed(Design(novices=6), "score_difference", by, sizes=(10, 40))
    assert never is None


def test_the_same_seed_gives_the_same() -> None:
    first, second = (passing(SMALL, Simulation(panels=20, draws=99, seed=6)) for _ in range(2))
    assert first == second


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = PassRate(0.1, 50).interval
    expected = stats.binomtest(5, 50).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-6)
    assert PassRate(0.0, 50).interval[1] > 0.05


def test_what_cannot_be_simulated() -> None:
    with pytest.raises(UsageError, match="is impossible: the largest"):
        machine_noise(SMALL, 3.0)
    with pytest.raises(UsageError, match="guesses"):
        machine_noise(SMALL, -3.0)
    for count in (1, 1001):
        with pytest.raises(UsageError, match=f"novices must be from 2 to 1,000, found {count:,}"):
            Design(novices=count)
    with pytest.raises(UsageError, match="not one of"):
        passing(SMALL, Simulation(rater="nobody"))
    for draws in (10, 1_000_001):
        with pytest.raises(UsageError, match=f"draws must be from 39 .* found {draws:,}"):
            passing(SMALL, Simulation(draws=draws))
    with pytest.raises(UsageError, match="panels must be from 1 to 100,000, found 100,001"):
        passing(SMALL, Simulation(panels=100_001))
