"""Correlations against scipy's, with ties, and by hand."""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import Lazy
from readmark.statistics import correlation as rank_correlation
from readmark.statistics.correlation import (
    from_moments,
    kendall,
    moments,
    pearson,
    spearman,
)

stats = Lazy("scipy.stats")

columns = st.integers(2, 40).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n)] * 2)
)


@given(columns)
def test_they_are_scipys(both: tuple[list[int], list[int]]) -> None:
    x, y = (np.array(one, dtype=float) for one in both)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = [stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y)]
    for ours, theirs in zip((pearson, spearman, kendall), wanted, strict=True):
        found = ours(x, y)
        if math.isnan(float(theirs[0])):
            assert math.isnan(found)
        else:
            assert found == pytest.approx(float(theirs[0]), abs=1e-12)


@pytest.mark.parametrize("few", [0, 96])
@given(columns)
def test_few_and_many_rows_are_the_same(few: int, both: tuple[list[int], list[int]]) -> None:
    x, y = (np.array(one, dtype=float) for one in both)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_correlation, "_FEW", few)
        found = spearman(x, y), kendall(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = float(stats.spearmanr(x, y)[0]), float(stats.kendalltau(x, y)[0])
    assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def summed(x: Any, y: Any) -> float:
    return float(from_moments(np.stack(moments(x, y)).sum(axis=1)))


@given(columns)
def test_moments_give_the_same(both: tuple[list[int], list[int]]) -> None:
    x, y = (np.array(one, dtype=float) - 3 for one in both)
    found, direct = summed(x, y), pearson(x, y)
    assert math.isnan(found) == math.isnan(direct)
    if not math.isnan(found):
        assert found == pytest.approx(direct, abs=1e-9)


@pytest.mark.parametrize("many", [1, 2, 3, 1000])
def test_kendall_of_an_order_and_its_reverse(many: int) -> None:
    x = np.arange(many, dtype=float)
    if many == 1:
        assert math.isnan(kendall(x, x))
    else:
        assert kendall(x, x) == 1
        assert kendall(x, -x) == -1


def test_kendall_by_hand() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 2.0])
    # Of the six pairs three agree (those with the first), two do not, and one is tied in y.
    assert kendall(x, y) == pytest.approx((3 - 2) / math.sqrt(6 * 5))


@pytest.mark.parametrize("spread", [1.0, 1e-2, 1e-4, 4e-5, 2e-5, 5e-6])
@pytest.mark.parametrize("centre", [0.3, -1.7, 2.0])
def test_moments_of_columns_that_hug_their_mean(spread: float, centre: float) -> None:
    source = np.random.default_rng(7)
    x, noise = source.normal(size=40), source.normal(size=40)
    y = centre + spread * (x + noise)
    assert summed(x, y) == pytest.approx(float(np.corrcoef(x, y)[0, 1]), abs=1e-8)


@pytest.mark.parametrize("many", [3, 7, 40, 49])
@pytest.mark.parametrize("value", [0.3, 1 / 3, -1.9999, 1e-9])
def test_a_constant_has_no_correlation_although_its_mean_is_rounded(
    value: float, many: int
) -> None:
    x = np.arange(many, dtype=float)
    flat = np.full(many, value)
    assert math.isnan(pearson(x, flat))
    assert math.isnan(summed(x, flat))
