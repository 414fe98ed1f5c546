"""The bootstrap against a slow one in plain Python, scipy's, and hand-worked intervals."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from installed import Lazy
from readmark.core.errors import UsageError
from readmark.statistics.grid import to_grid
from readmark.statistics.intervals import bca_interval, interval
from readmark.statistics.jackknife import jackknife_values
from readmark.statistics.resampling import bootstrap, bootstrap_rows, cluster_sums

scipy_stats = Lazy("scipy.stats")

Floats = NDArray[np.float64]


def ratio(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def pearson(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))


def slow_draws(clusters: int, *, seed: int, draws: int) -> list[list[int]]:
    source = np.random.PCG64(seed)
    return [
        [(int(source.random_raw()) >> 32) * clusters >> 32 for _ in range(clusters)]
        for _ in range(draws)
    ]


@pytest.fixture
def passages() -> tuple[Floats, NDArray[np.intp]]:
    """60 questions on 12 passages of unequal size, each with (best, 1)."""
    random = np.random.default_rng(11)
    codes = np.concatenate([np.arange(12), random.integers(0, 12, size=48)])
    best = to_grid(np.clip(random.normal(0.6, 0.3, size=60), 0, 1))
    return np.column_stack([best, np.ones(60)]), codes


def test_equals_a_slow_bootstrap_exactly(passages: tuple[Floats, NDArray[np.intp]]) -> None:
    vectors, codes = passages
    expected = []
    for drawn in slow_draws(12, seed=4, draws=50):
        top = bottom = Fraction(0)
        for cluster in drawn:
            for vector, code in zip(vectors.tolist(), codes.tolist(), strict=True):
                if code == cluster:
                    top += Fraction(vector[0])
                    bottom += Fraction(vector[1])
        expected.append(float(top) / float(bottom))
    sums = cluster_sums(vectors, codes, 12)
    assert bootstrap(sums, ratio, seed=4, draws=50).tolist() == expected


def test_rows_and_sums_agree(passages: tuple[Floats, NDArray[np.intp]]) -> None:
    vectors, codes = passages
    fast = bootstrap(cluster_sums(vectors, codes, 12), ratio, seed=2, draws=100)
    slow = bootstrap_rows(
        vectors, codes, 12, lambda rows: float(ratio(rows.sum(axis=0))), seed=2, draws=100
    )
    assert fast.tolist() == slow.tolist()


def test_rows_of_drawn_clusters_are_joined_whole() -> None:
    rows = np.array([[1.0], [20.0], [2.0], [30.0], [31.0]])
    codes = np.array([0, 1, 0, 3, 3])  # cluster 2 is empty
    members = {0: [1.0, 2.0], 1: [20.0], 2: [], 3: [30.0, 31.0]}
    seen: list[list[float]] = []

    def score(drawn: Floats) -> float:
        seen.append(drawn[:, 0].tolist())
        return 0.0

    bootstrap_rows(rows, codes, 4, score, seed=1, draws=20)
    assert seen == [
        [x for cluster in drawn for x in members[cluster]]
        for drawn in slow_draws(4, seed=1, draws=20)
    ]


def test_pearson_by_moments_equals_rows() -> None:
    random = np.random.default_rng(3)
    x = to_grid(random.normal(size=40))
    y = to_grid(0.5 * x + random.normal(size=40))
    codes = np.repeat(np.arange(20), 2)
    moments = np.column_stack([np.ones(40), x, y, x * x, y * y, x * y])
    fast = bootstrap(cluster_sums(to_grid(moments), codes, 20), pearson, seed=1, draws=50)
    slow = bootstrap_rows(
        np.column_stack([x, y]),
        codes,
        20,
        lambda rows: statistics.correlation(rows[:, 0].tolist(), rows[:, 1].tolist()),
        seed=1,
        draws=50,
    )
    assert fast.tolist() == pytest.approx(slow.tolist(), abs=1e-7)


def test_many_draws_cross_blocks() -> None:
    sums = to_grid(np.random.default_rng(0).random((700, 2)))
    whole = bootstrap(sums, ratio, seed=1, draws=900)
    assert len(whole) * 700 > 2**18
    assert np.array_equal(whole[:500], bootstrap(sums, ratio, seed=1, draws=500))
    assert not np.isnan(whole).any()


def test_same_distribution_as_scipy() -> None:
    data = to_grid(np.random.default_rng(5).exponential(size=80))
    ours = bootstrap(np.column_stack([data, np.ones_like(data)]), ratio, seed=1, draws=20_000)
    theirs = scipy_stats.bootstrap(
        (data,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    )
    error = data.std() / math.sqrt(80)
    assert ours.mean() == pytest.approx(theirs.bootstrap_distribution.mean(), abs=0.05 * error)
    assert ours.std() == pytest.approx(theirs.bootstrap_distribution.std(), rel=0.03)
    assert interval(ours) == pytest.approx(tuple(theirs.confidence_interval), abs=0.1 * error)


def test_bca_equals_scipy_on_its_own_draws() -> None:
    data = to_grid(np.random.default_rng(8).exponential(size=30))
    sums = np.column_stack([data, np.ones_like(data)])
    for level in (0.8, 0.95):
        theirs = scipy_stats.bootstrap(
            (data,),
            np.mean,
            n_resamples=2_000,
            method="BCa",
            confidence_level=level,
            rng=np.random.default_rng(1),
        )
        ours = bca_interval(
            theirs.bootstrap_distribution, data.mean(), jackknife_values(sums, ratio), level=level
        )
        assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=1e-9)
        assert ours != pytest.approx(interval(theirs.bootstrap_distribution, level=level), abs=1e-3)


def test_bca_is_near_scipy_on_our_draws() -> None:
    data = to_grid(np.random.default_rng(8).exponential(size=30))
    sums = np.column_stack([data, np.ones_like(data)])
    theirs = scipy_stats.bootstrap(
        (data,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(2)
    )
    values = bootstrap(sums, ratio, seed=1, draws=20_000)
    ours = bca_interval(values, float(data.mean()), jackknife_values(sums, ratio))
    error = data.std() / math.sqrt(30)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=0.12 * error)


def test_jackknife_by_hand() -> None:
    sums = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 2.0]])
    # Without the first 3/6, the second 1/4, the third 4/6.
    assert jackknife_values(sums, ratio).tolist() == [3 / 6, 1 / 4, 4 / 6]
    assert np.isnan(jackknife_values(sums[:1], ratio)).tolist() == [True]


@pytest.mark.parametrize(
    ("values", "level", "expected"),
    [
        (range(101), 0.95, (2.5, 97.5)),
        (range(101), 0.9, (5.0, 95.0)),
        ([0, 0, 0, 10], 0.5, (0.0, 2.5)),  # asymmetric
        ([1, math.nan, 3, math.nan], 0.5, (1.5, 2.5)),
        ([2, 2, 2], 0.95, (2.0, 2.0)),
        ([2, math.nan], 0.95, (None, None)),
        ([math.nan, math.nan], 0.95, (None, None)),
        ([], 0.95, (None, None)),
    ],
)
def test_interval_by_hand(
    values: list[float], level: float, expected: tuple[float | None, float | None]
) -> None:
    got = interval(np.array(values, dtype=np.float64), level=level)
    assert got == (expected if None in expected else pytest.approx(expected))


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=60), st.floats(0.01, 0.99))
def test_interval_equals_numpy_quantiles(values: list[float], level: float) -> None:
    low, high = interval(np.array(values), level=level)
    expected = np.quantile(values, [(1 - level) / 2, 1 - (1 - level) / 2])
    assert (low, high) == pytest.approx(tuple(expected), abs=1e-12)
    assert low is not None
    assert high is not None
    assert min(values) <= low <= high <= max(values)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, math.nan])
def test_bad_level(level: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        interval(np.arange(5.0), level=level)
    with pytest.raises(UsageError, match="between 0 and 1"):
        bca_interval(np.arange(5.0), 2.0, np.arange(3.0), level=level)


@pytest.mark.parametrize(
    ("values", "observed", "left_out"),
    [
        ([0.5] * 10, 0.5, [0.4, 0.5, 0.6]),  # every draw equal
        ([0.1, 0.2, 0.3, 0.4], 0.9, [0.4, 0.5, 0.7]),  # bias infinite
        ([0.1, 0.2, 0.3, 0.4], 0.0, [0.4, 0.5, 0.7]),
        ([0.1, 0.2, 0.3, 0.4], math.nan, [0.4, 0.5, 0.7]),
        ([0.1, 0.2, 0.3, 0.4], 0.25, [0.5, 0.5, 0.5]),  # no spread to accelerate by
        ([0.1, 0.2, 0.3, 0.4], 0.25, [0.4, math.nan, 0.7]),
        ([0.1, 0.2, 0.3, 0.4], 0.25, []),
    ],
)
def test_bca_falls_back_to_percentile(
    values: list[float], observed: float, left_out: list[float]
) -> None:
    drawn = np.array(values)
    got = bca_interval(drawn, observed, np.array(left_out))
    assert got == interval(drawn)


def test_bca_without_bias_or_skew_is_the_percentile_interval() -> None:
    values = np.arange(1.0, 100.0)
    got = bca_interval(values, 50.0, np.array([1.0, 2.0, 3.0]), level=0.9)
    assert got == pytest.approx(interval(values, level=0.9), abs=1e-9)


def test_bca_with_too_few_draws() -> None:
    assert bca_interval(np.array([1.0, math.nan]), 1.0, np.array([1.0, 2.0])) == (None, None)


@pytest.mark.parametrize("clusters", [0, 1])
def test_one_cluster_cannot_be_resampled(clusters: int) -> None:
    values = bootstrap(np.ones((clusters, 2)), ratio, seed=1, draws=10)
    assert np.isnan(values).tolist() == [True] * 10
    assert interval(values) == (None, None)
    codes = np.zeros(clusters, dtype=np.intp)
    rows = bootstrap_rows(np.ones((clusters, 2)), codes, clusters, len, seed=1, draws=10)
    assert np.isnan(rows).tolist() == [True] * 10


def test_undefined_draws_are_nan_without_a_warning() -> None:
    """Precision is undefined on draws where nothing was answered."""
    sums = np.array([[1.0, 1.0], [0.0, 0.0]])
    drawn = slow_draws(2, seed=1, draws=30)
    with np.errstate(all="raise"):
        values = bootstrap(sums, ratio, seed=1, draws=30)
    assert np.isnan(values).tolist() == [draw == [1, 1] for draw in drawn]
    assert interval(values) == (1.0, 1.0)


def test_clusters_widen_the_interval() -> None:
    """Ten questions that stand or fall together say no more than one."""
    random = np.random.default_rng(1)
    right = np.repeat(random.integers(0, 2, size=30), 10).astype(np.float64)
    vectors = np.column_stack([right, np.ones(300)])
    together = bootstrap(
        cluster_sums(vectors, np.repeat(np.arange(30), 10), 30), ratio, seed=1, draws=2_000
    )
    apart = bootstrap(vectors, ratio, seed=1, draws=2_000)
    assert together.std() / apart.std() == pytest.approx(math.sqrt(10), rel=0.1)


def test_columns_do_not_disturb_each_other() -> None:
    """Many columns at once, or one of them alone: the same draws, the same values."""
    sums = to_grid(np.random.default_rng(2).random((50, 6)))
    for column in range(5):

        def chosen(drawn: Floats, column: int = column) -> Floats:
            return np.asarray(drawn[..., column] / drawn[..., 5])

        alone = np.ascontiguousarray(sums[:, [column, 5]])
        assert np.array_equal(
            bootstrap(sums, chosen, seed=1, draws=40), bootstrap(alone, ratio, seed=1, draws=40)
        )


def test_a_spread_too_small_for_a_double() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.4])
    tiny = np.array([1e-120, 2e-120, 0.0])
    assert bca_interval(values, 0.25, tiny) == interval(values)
