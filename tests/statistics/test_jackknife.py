"""Jackknife intervals against hand-worked numbers, scipy, a plain loop, and a simulation."""

import math
from fractions import Fraction
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from installed import Lazy
from readmark.core.errors import UsageError
from readmark.statistics.distributions import beta_cdf, beta_quantile, t_quantile
from readmark.statistics.intervals import interval
from readmark.statistics.jackknife import (
    correlation_interval,
    leave_one_out,
    leave_one_out_rows,
    share_interval,
    standard_error,
    t_interval,
)
from readmark.statistics.resampling import resampled_sums

scipy_stats = Lazy("scipy.stats")
scipy_special = Lazy("scipy.special")

Floats = NDArray[np.float64]


def ratio(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def first(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0])


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 9, 14, 99, 1000, 25_000])
@pytest.mark.parametrize("tail", [0.0005, 0.005, 0.025, 0.05, 0.25, 0.4])
def test_t_quantiles_are_scipys(freedom: int, tail: float) -> None:
    assert t_quantile(tail, freedom) == pytest.approx(-scipy_stats.t.ppf(tail, freedom), rel=1e-9)


def test_t_quantiles_of_the_printed_tables() -> None:
    found = [t_quantile(0.025, freedom) for freedom in (1, 2, 3, 5, 9, 30)]
    assert [round(one, 3) for one in found] == [12.706, 4.303, 3.182, 2.571, 2.262, 2.042]


@given(st.floats(0.05, 500), st.floats(0.05, 500), st.floats(0.001, 0.999))
def test_beta_is_scipys(a: float, b: float, share: float) -> None:
    assert beta_cdf(share, a, b) == pytest.approx(scipy_special.betainc(a, b, share), abs=1e-12)
    found = beta_quantile(share, a, b)
    # Near 1 the neighbouring numbers may be further apart than that.
    below, above = (scipy_special.betainc(a, b, np.nextafter(found, end)) for end in (0, 1))
    assert below - 1e-8 <= share <= above + 1e-8


def test_beta_at_the_ends() -> None:
    assert (beta_cdf(0, 2, 3), beta_cdf(1, 2, 3), beta_cdf(-1, 2, 3)) == (0, 1, 0)
    assert beta_quantile(0.5, 1, 1) == pytest.approx(0.5, rel=1e-14)
    # The largest of n uniform values: x**n.
    assert beta_quantile(0.025, 6, 1) == pytest.approx(0.025 ** (1 / 6), rel=1e-14)


def test_t_interval_by_hand() -> None:
    """Equal clusters: the jackknife of a mean is s / sqrt(n), and the interval Student's own."""
    means = [0.2, 0.4, 0.4, 0.6, 0.9]
    sums = np.array([[5 * one, 5] for one in means])
    left_out = leave_one_out(sums, ratio)
    assert left_out.tolist() == pytest.approx([0.575, 0.525, 0.525, 0.475, 0.4])
    assert standard_error(0.5, left_out) == pytest.approx(stdev(means) / math.sqrt(5))
    # s = sqrt(0.28 / 4) = 0.264575, over sqrt 5 = 0.118322; times 2.776445 = 0.328513
    assert t_interval(0.5, left_out) == pytest.approx((0.171487, 0.828513), abs=1e-6)
    own = scipy_stats.ttest_1samp(means, 0).confidence_interval(0.9)
    assert t_interval(0.5, left_out, level=0.9) == pytest.approx((own.low, own.high))
    assert t_interval(0.5, left_out, least=0.3, most=0.7) == (0.3, 0.7)


def test_unequal_clusters_by_a_plain_loop() -> None:
    clusters = [(1, 2), (3, 3), (0, 4), (5, 6), (2, 2), (1, 5)]
    rights, sizes = (sum(column) for column in zip(*clusters, strict=True))
    whole = Fraction(rights, sizes)
    without = [Fraction(rights - right, sizes - size) for right, size in clusters]
    squares = sum((one - whole) ** 2 for one in without)
    error = math.sqrt(Fraction(5, 6) * squares)
    sums = np.array(clusters, dtype=np.float64)
    left_out = leave_one_out(sums, ratio)
    assert left_out.tolist() == pytest.approx([float(one) for one in without])
    assert standard_error(float(whole), left_out) == pytest.approx(error)
    # Korn and Graubard: p(1 - p) / variance, times the square of t(units - 1) / t(clusters - 1).
    p = float(whole)
    t = scipy_stats.t.ppf(0.975, [sizes - 1, 5])
    size = min(sizes, p * (1 - p) / error**2 * (t[0] / t[1]) ** 2)
    low = scipy_stats.beta.ppf(0.025, p * size, (1 - p) * size + 1)
    high = scipy_stats.beta.ppf(0.975, p * size + 1, (1 - p) * size)
    assert share_interval(p, left_out, units=sizes) == pytest.approx((low, high))


def test_a_sum_has_the_error_of_a_sum() -> None:
    """Without scaling, the values without a cluster would be those of a smaller test."""
    hits = [1.0, 4.0, 2.0, 7.0]
    sums = np.array([[one, 1.0] for one in hits])
    left_out = leave_one_out(sums, first)
    assert standard_error(14, left_out) == pytest.approx(math.sqrt(4) * stdev(hits))


def test_rows_and_sums_agree() -> None:
    rows = np.array([[1.0, 1], [0, 1], [1, 1], [0, 1], [1, 1]])
    codes = np.array([0, 0, 1, 2, 2])
    sums = np.array([[1.0, 2], [1, 1], [1, 2]])
    slow = leave_one_out_rows(rows, codes, 3, lambda some: float(ratio(some.sum(axis=0))))
    assert slow.tolist() == pytest.approx(leave_one_out(sums, ratio).tolist())


def test_a_correlation_stays_between_its_ends() -> None:
    low, high = correlation_interval(0.9, np.array([0.8, 0.95, 0.9, 0.97]))
    error = math.sqrt(3 / 4 * (0.1**2 + 0.05**2 + 0.07**2))
    reach = 3.182446305284263 * error / 0.19
    assert (low, high) == pytest.approx(
        (math.tanh(math.atanh(0.9) - reach), math.tanh(math.atanh(0.9) + reach))
    )
    assert correlation_interval(1.0, np.array([1.0, 1.0, 0.9])) == (None, None)


@pytest.mark.parametrize(
    ("left_out", "why"),
    [([], "no cluster"), ([math.nan], "one"), ([0.4, math.nan, 0.6], "undefined without one")],
)
def test_no_interval(left_out: list[float], why: str) -> None:
    values = np.array(left_out)
    assert t_interval(0.5, values) == (None, None), why
    assert correlation_interval(0.5, values) == (None, None), why
    assert share_interval(0.5, values, units=9) == (None, None), why


def test_clusters_that_do_not_vary() -> None:
    """A difference has no interval then; a share has the one of its units, or of its clusters."""
    same = leave_one_out(np.array([[1.0, 2], [2, 4], [3, 6]]), ratio)
    assert t_interval(0.5, same) == (None, None)
    exact = scipy_stats.binomtest(6, 12).proportion_ci()
    assert share_interval(0.5, same, units=12) == pytest.approx((exact.low, exact.high))
    # All right: as six coins that all fell heads, however many units; 0.025 ** (1 / 6) = 0.5407.
    low, high = share_interval(1.0, np.ones(6), units=60)
    assert (low, high) == (pytest.approx(0.540742, abs=1e-6), 1)
    assert share_interval(0.0, np.zeros(6), units=60) == pytest.approx((0, 1 - 0.540742), abs=1e-6)


def test_two_clusters() -> None:
    low, high = share_interval(0.5, leave_one_out(np.array([[4.0, 5], [1, 5]]), ratio), units=10)
    assert low is not None
    assert low < 0.01
    assert high is not None
    assert high > 0.99


def test_levels() -> None:
    left_out = np.array([0.4, 0.5, 0.6])
    for level in (0.0, 1.0):
        with pytest.raises(UsageError):
            t_interval(0.5, left_out, level=level)
        with pytest.raises(UsageError):
            share_interval(0.5, left_out, units=9, level=level)


def test_order_does_not_matter() -> None:
    random = np.random.default_rng(3)
    sums = np.column_stack([random.integers(0, 9, 20), np.full(20, 9)]).astype(np.float64)
    ways = [sums, sums[::-1], sums[random.permutation(20)]]
    observed = float(ratio(sums.sum(axis=0)))
    found = {share_interval(observed, leave_one_out(one, ratio), units=180) for one in ways}
    assert len(found) == 1


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8),
    st.floats(0.5, 0.99),
)
def test_a_share_lies_within_its_interval(pairs: list[tuple[int, int]], level: float) -> None:
    sums = np.array([[right, right + wrong + 1] for right, wrong in pairs], dtype=np.float64)
    observed = float(ratio(sums.sum(axis=0)))
    low, high = share_interval(
        observed, leave_one_out(sums, ratio), units=int(sums[:, 1].sum()), level=level
    )
    assert low is not None
    assert high is not None
    assert 0 <= low <= observed <= high <= 1
    assert low < high


def test_it_covers_where_the_percentile_interval_does_not() -> None:
    """Six passages of five questions, as alike as questions on a passage are."""
    random = np.random.default_rng(1)
    chances = random.beta(0.7 * 4, 0.3 * 4, (400, 6))
    rights = random.binomial(5, chances).astype(np.float64)
    sizes = np.full(6, 5.0)
    draws = resampled_sums(np.vstack([rights, sizes]).T, seed=1, draws=500)
    values = (draws[:, :-1] / draws[:, -1:]).T
    holds = {"percentile": 0, "share": 0, "t": 0}
    for own, drawn in zip(rights, values, strict=True):
        observed = float(own.sum() / 30)
        left_out = leave_one_out(np.column_stack([own, sizes]), ratio)
        ends = {
            "percentile": interval(drawn),
            "share": share_interval(observed, left_out, units=30),
            "t": t_interval(observed, left_out),
        }
        for name, (low, high) in ends.items():
            holds[name] += low is not None and high is not None and low <= 0.7 <= high
    assert holds["percentile"] / 400 < 0.89
    assert holds["share"] / 400 > 0.94
    assert holds["t"] / 400 > 0.92
