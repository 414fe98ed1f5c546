"""Two one-sided tests: against scipy's t tests, at the edge of the margin, and the power."""

import math

import numpy as np
import pytest
from scipy import stats

from readmark.core.errors import UsageError
from readmark.readability.panels.synthetic_judges import Draws
from readmark.statistics.distributions import t_tail
from readmark.statistics.equivalence import Equivalence, clusters_needed, two_one_sided


def of_means(a: np.ndarray, b: np.ndarray, margin: float) -> Equivalence:
    n = len(a)
    columns = np.column_stack([(one.sum() - one) / (n - 1) for one in (a, b)])
    return two_one_sided(float(a.mean()), float(b.mean()), columns, margin=margin)


@pytest.mark.parametrize("freedom", [1, 2, 7, 40, 1000])
@pytest.mark.parametrize("value", [-30.0, -2.1, 0.0, 0.3, 1.7, 12.0])
def test_the_tail_of_students_t(value: float, freedom: int) -> None:
    assert t_tail(value, freedom) == pytest.approx(stats.t.sf(value, freedom), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("b", "verdict"),
    [
        ([3.0, 2.1, 4.0, 1.1, 5.0, 2.0], "equivalent"),
        ([2.4, 1.2, 3.1, 0.5, 4.1, 1.3], "worse"),
        ([3.7, 2.6, 4.9, 1.5, 5.8, 2.9], "better"),
        ([3.9, 1.2, 4.7, 0.3, 5.6, 1.5], "cannot tell"),
        # certain, but too small to matter
        ([2.95, 1.94, 3.95, 0.96, 4.94, 1.95], "equivalent"),
    ],
)
def test_means_are_tested_as_scipy_does(b: list[float], verdict: str) -> None:
    a, other = np.array([3.0, 2.0, 4.0, 1.0, 5.0, 2.0]), np.array(b)
    test = of_means(a, other, 0.25)
    gaps = other - a
    expected = [
        stats.ttest_1samp(gaps, -0.25, alternative="greater").pvalue,
        stats.ttest_1samp(gaps, 0.25, alternative="less").pvalue,
        stats.ttest_rel(other, a).pvalue,
    ]
    assert [test.p_lower, test.p_upper, test.p_different] == pytest.approx(expected, rel=1e-9)
    assert test.error == pytest.approx(stats.sem(gaps))
    assert test.verdict == verdict
    # both tests succeed exactly where the 90% interval is within the margin
    low, high = stats.t.interval(0.9, len(a) - 1, gaps.mean(), stats.sem(gaps))
    assert (verdict == "equivalent") == (low > -0.25 and high < 0.25)


@pytest.mark.parametrize(
    ("gap", "clusters", "verdict"),
    [
        (0.0, 4, "cannot tell"),  # 1/2 to the fourth is above 0.05
        (0.0, 5, "equivalent"),
        (-0.5, 5, "cannot tell"),  # two-sided: 2/32
        (-0.5, 6, "worse"),
        (0.5, 6, "better"),
    ],
)
def test_a_difference_that_never_varies(gap: float, clusters: int, verdict: str) -> None:
    a = np.arange(clusters) * 0.3 + 1
    test = of_means(a, a + gap, 0.25)
    assert (test.error, test.verdict) == (0.0, verdict)
    assert clusters_needed(test) == 5


def test_an_undefined_mark_has_no_test() -> None:
    test = two_one_sided(0.5, 0.6, np.array([[0.5, 0.6], [math.nan, 0.6]]), margin=0.1)
    assert (test.p, test.p_different, test.verdict) == (None, None, "cannot tell")
    assert clusters_needed(test) is None


@pytest.mark.parametrize("margin", [0.0, -0.1, math.inf, math.nan])
def test_a_margin_is_above_zero(margin: float) -> None:
    with pytest.raises(UsageError, match="is not above 0"):
        two_one_sided(0.5, 0.6, np.zeros((3, 2)), margin=margin)


def test_at_the_edge_of_the_margin_one_in_twenty_is_called_equivalent() -> None:
    trials, clusters = 2000, 20
    noise = Draws(3).normal(trials, clusters)
    called = [of_means(np.zeros(clusters), row + 2, 2.0).verdict == "equivalent" for row in noise]
    # three standard errors of a share of 0.05
    assert np.mean(called) == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / trials))


def test_the_clusters_that_are_needed_give_the_power() -> None:
    draws = Draws(4)
    pilot = of_means(np.zeros(500), draws.normal(500), 0.5)
    needed = clusters_needed(pilot)
    assert needed is not None
    # normal approximation: ((1.645 + 1.282) / 0.5) ** 2 = 34.3, and the spread of the pilot
    assert pilot.error is not None
    spread = pilot.error * math.sqrt(500)
    assert needed == pytest.approx(34.3 * spread**2, abs=3)
    rows = spread * draws.normal(2000, needed)
    called = [of_means(np.zeros(needed), row, 0.5).verdict == "equivalent" for row in rows]
    assert np.mean(called) == pytest.approx(0.8, abs=0.04)
    assert (clusters_needed(pilot, power=0.9) or 0) > needed
