"""Paired randomisation against every flip in turn, by hand, and on data without a difference."""

import itertools
import math
import statistics

import numpy as np
import pytest
from numpy.typing import NDArray

from installed import Lazy
from readmark.statistics.grid import to_grid
from readmark.statistics.intervals import interval
from readmark.statistics.randomisation import (
    detectable,
    paired_differences,
    paired_differences_rows,
    paired_p,
    paired_p_rows,
)
from readmark.statistics.resampling import bootstrap, cluster_sums

scipy_stats = Lazy("scipy.stats")

Floats = NDArray[np.float64]


def ratio(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def ratio_of_rows(rows: Floats) -> float:
    return float(ratio(rows.sum(axis=0)))


def marks(values: list[float] | Floats) -> Floats:
    best = to_grid(np.asarray(values, dtype=np.float64))
    return np.column_stack([best, np.ones_like(best)])


def every_flip(sums_a: Floats, sums_b: Floats) -> float:
    """The share of all 2**n swaps that leave the two at least as far apart: the exact p."""
    observed = abs(ratio(sums_b.sum(axis=0)) - ratio(sums_a.sum(axis=0)))
    far = 0
    for swap in itertools.product([False, True], repeat=len(sums_a)):
        chosen = np.array(swap)[:, None]
        a = np.where(chosen, sums_b, sums_a).sum(axis=0)
        b = np.where(chosen, sums_a, sums_b).sum(axis=0)
        far += int(abs(ratio(b) - ratio(a)) >= observed - 1e-12)
    return far / 2.0 ** len(sums_a)


def test_by_hand() -> None:
    """Two clusters, A right on both: equal swaps (00, 11) keep the distance of 1, others give 0.

    The first eight flips of seed 1 are 11 01 10 01 10 00 00 01: three of them are equal.
    """
    a, b = marks([1, 1]), marks([0, 0])
    assert paired_p(a, b, ratio, seed=1, trials=8) == 4 / 9
    assert every_flip(a, b) == 0.5


@pytest.mark.parametrize("n", [3, 6, 9])
def test_near_every_flip(n: int) -> None:
    random = np.random.default_rng(n)
    a, b = marks(random.random(n)), marks(random.random(n))
    # The standard error of a share over 20,000 trials is at most 0.0035.
    assert paired_p(a, b, ratio, seed=1, trials=20_000) == pytest.approx(
        every_flip(a, b), abs=0.015
    )


def test_near_every_flip_where_the_denominators_move_too() -> None:
    random = np.random.default_rng(1)
    answered = random.integers(1, 5, size=(2, 8)).astype(np.float64)
    shared = np.floor(answered * random.random((2, 8)))
    a, b = (np.column_stack(pair) for pair in zip(shared, answered, strict=True))
    assert paired_p(a, b, ratio, seed=1, trials=20_000) == pytest.approx(
        every_flip(a, b), abs=0.015
    )


def test_ties_count_although_divisions_round() -> None:
    """3/5 - 1/3 as it stands, 2/3 - 2/5 after one swap: both 4/15, so that every trial ties."""
    assert 2 / 3 - 2 / 5 != 3 / 5 - 1 / 3
    a, b = np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 2.0]])
    assert paired_p(a, b, ratio, seed=1, trials=100) == 1.0
    assert paired_p_rows(a, b, np.arange(2), 2, ratio_of_rows, seed=1, trials=100) == 1.0


@pytest.mark.parametrize("n", [1, 2, 50])
@pytest.mark.parametrize("trials", [1, 999])
def test_identical_gives_exactly_one(n: int, trials: int) -> None:
    a = marks(np.random.default_rng(n).random(n))
    assert paired_p(a, a.copy(), ratio, seed=1, trials=trials) == 1.0
    codes = np.arange(n)
    assert paired_p_rows(a, a.copy(), codes, n, ratio_of_rows, seed=1, trials=trials) == 1.0


def test_symmetric() -> None:
    random = np.random.default_rng(2)
    for _ in range(10):
        a, b = marks(random.random(20)), marks(random.random(20))
        forth = paired_p(a, b, ratio, seed=3, trials=500)
        assert forth == paired_p(b, a, ratio, seed=3, trials=500)
        assert 0 < forth <= 1


def test_never_below_one_in_trials_and_one() -> None:
    a, b = marks([1.0] * 200), marks([0.0] * 200)
    assert paired_p(a, b, ratio, seed=1, trials=99) == 1 / 100
    assert paired_p(a, b, ratio, seed=1, trials=0) == 1.0


def test_clusters_are_flipped_whole() -> None:
    """A is better on two of three passages of 20 questions: no evidence, though 40 units moved."""
    codes = np.repeat(np.arange(3), 20)
    units_a, units_b = marks(np.repeat([1.0, 1.0, 0.0], 20)), marks([0.0] * 60)
    a, b = cluster_sums(units_a, codes, 3), cluster_sums(units_b, codes, 3)
    assert every_flip(a, b) == 0.5
    assert paired_p(a, b, ratio, seed=1, trials=10_000) == pytest.approx(0.5, abs=0.02)
    assert paired_p_rows(
        units_a, units_b, codes, 3, ratio_of_rows, seed=1, trials=1_000
    ) == pytest.approx(0.5, abs=0.06)
    assert paired_p(units_a, units_b, ratio, seed=1, trials=10_000) == 1 / 10_001


def test_rows_and_sums_agree() -> None:
    random = np.random.default_rng(6)
    codes = random.integers(0, 15, size=60)
    units_a, units_b = marks(random.random(60)), marks(random.random(60))
    a, b = cluster_sums(units_a, codes, 15), cluster_sums(units_b, codes, 15)
    for seed in (1, 2):
        assert paired_p_rows(
            units_a, units_b, codes, 15, ratio_of_rows, seed=seed, trials=200
        ) == paired_p(a, b, ratio, seed=seed, trials=200)
        slow = paired_differences_rows(
            units_a, units_b, codes, 15, ratio_of_rows, seed=seed, draws=50
        )
        assert slow.tolist() == paired_differences(a, b, ratio, seed=seed, draws=50).tolist()


def test_rank_correlation_by_rows() -> None:
    """No function of sums: A ranks as the experts do, B at random."""
    random = np.random.default_rng(4)
    experts = random.permutation(24).astype(np.float64)
    a = np.column_stack([experts, experts + random.normal(size=24)])
    b = np.column_stack([experts, random.permutation(24)])

    def spearman(rows: Floats) -> float:
        ranks = rows.argsort(axis=0).argsort(axis=0)
        return statistics.correlation(*ranks.T.tolist())

    assert paired_p_rows(a, b, np.arange(24), 24, spearman, seed=1, trials=300) < 0.02


def test_undefined() -> None:
    a, b = np.zeros((3, 2)), marks([1, 0, 1])
    with np.errstate(all="raise"):
        assert math.isnan(paired_p(a, b, ratio, seed=1, trials=10))
        assert math.isnan(paired_p(b, a, ratio, seed=1, trials=10))
        assert math.isnan(paired_p_rows(a, b, np.arange(3), 3, ratio_of_rows, seed=1, trials=10))


def test_undefined_trials_count_against_the_difference() -> None:
    """Each answered one question: after one swap of two, one of them has answered none."""
    a, b = np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [0.0, 1.0]])
    with np.errstate(all="raise"):
        assert paired_p(a, b, ratio, seed=1, trials=50) == 1.0
        assert paired_p_rows(a, b, np.arange(2), 2, ratio_of_rows, seed=1, trials=50) == 1.0


def test_different_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in shape"):
        paired_p(np.ones((1, 2)), np.ones((5, 2)), ratio, seed=1, trials=10)
    with pytest.raises(ValueError, match="differ in shape"):
        paired_differences(np.ones((1, 2)), np.ones((5, 2)), ratio, seed=1, draws=10)


def test_false_positives_are_as_rare_as_promised() -> None:
    """Passages on which A or B happens to do better, and no difference in the long run."""
    random = np.random.default_rng(1)
    codes = np.repeat(np.arange(25), 4)
    found = {True: 0, False: 0}
    for _ in range(1_000):
        lean = np.repeat(random.normal(0, 0.3, size=25), 4)
        base = random.random(100)
        units_a, units_b = marks(base), marks(base + lean + random.normal(0, 0.1, size=100))
        a, b = cluster_sums(units_a, codes, 25), cluster_sums(units_b, codes, 25)
        found[True] += paired_p(a, b, ratio, seed=1, trials=199) <= 0.05
        found[False] += paired_p(units_a, units_b, ratio, seed=1, trials=199) <= 0.05
    # 50 expected, standard deviation 7; flipping single questions would claim far more.
    assert 30 <= found[True] <= 70
    assert found[False] > 150


def test_differences_are_b_minus_a_on_the_same_draws() -> None:
    random = np.random.default_rng(9)
    a, b = marks(random.random(30)), marks(random.random(30))
    got = paired_differences(a, b, ratio, seed=5, draws=200)
    one_by_one = [bootstrap(side, ratio, seed=5, draws=200) for side in (a, b)]
    assert got.tolist() == (one_by_one[1] - one_by_one[0]).tolist()
    better = paired_differences(a, marks(a[:, 0] + 0.25), ratio, seed=5, draws=200)
    assert better.tolist() == pytest.approx([0.25] * 200)


def test_detectable_is_near_the_analytic_error_of_a_mean() -> None:
    random = np.random.default_rng(3)
    a, b = random.random(200), random.random(200)
    analytic = 2.80 * scipy_stats.sem(b - a)
    got = detectable(paired_differences(marks(a), marks(b), ratio, seed=1, draws=5_000))
    assert got == pytest.approx(analytic, rel=0.04)


def test_detectable_by_hand() -> None:
    # 1, 2, 3, 4: variance 5/3.
    assert detectable(np.array([1.0, 2.0, 3.0, 4.0])) == pytest.approx(2.80 * math.sqrt(5 / 3))
    assert detectable(np.array([1.0, math.nan, 3.0])) == pytest.approx(2.80 * math.sqrt(2))
    assert math.isnan(detectable(np.array([1.0, math.nan])))


def test_one_cluster_has_no_interval_and_no_p_below_one() -> None:
    a, b = marks([1.0]), marks([0.0])
    differences = paired_differences(a, b, ratio, seed=1, draws=20)
    assert interval(differences) == (None, None)
    assert math.isnan(detectable(differences))
    assert paired_p(a, b, ratio, seed=1, trials=100) == 1.0
