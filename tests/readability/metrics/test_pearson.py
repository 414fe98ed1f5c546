"""pearson: moments against the direct formula, digits that are kept, and ratings that are alike."""

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rated_tests import statistics
from readmark.readability.metrics.pearson import Pearson

rating_pairs = st.lists(
    st.tuples(st.floats(1, 5), st.floats(1, 5)).map(lambda pair: tuple(round(x, 3) for x in pair)),
    min_size=2,
    max_size=30,
)


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """The metric's value for pairs of a gold rating and a rating."""
    metric = Pearson()
    rows = np.array([statistics(metric, (gold, gold), rating) for gold, rating in pairs])
    return float(metric.aggregate(rows.sum(axis=0)))


@given(rating_pairs)
def test_moments_give_the_direct_correlation(pairs: list[tuple[float, float]]) -> None:
    gold, ratings = np.array(pairs).T
    if np.ptp(gold) < 1e-2 or np.ptp(ratings) < 1e-2:
        assert math.isnan(correlation(pairs)) or -1 <= correlation(pairs) <= 1
    else:
        direct = np.corrcoef(gold, ratings)[0, 1]
        assert correlation(pairs) == pytest.approx(direct, abs=1e-6)


def exact_pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """In fractions up to the root, which has forty digits."""
    xs, ys = ([Fraction(float(number)) for number in column] for column in (x, y))
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    shared = sum((a - x_mean) * (b - y_mean) for a, b in zip(xs, ys, strict=True))
    spread = sum((a - x_mean) ** 2 for a in xs) * sum((b - y_mean) ** 2 for b in ys)
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(spread.numerator) / Decimal(spread.denominator)).sqrt()
        return float(Decimal(shared.numerator) / Decimal(shared.denominator) / root)


@pytest.mark.parametrize("passages", [3, 40, 1000])
@pytest.mark.parametrize(
    ("spread", "digits"), [(1, 15), (1e-2, 15), (1e-4, 15), (1e-5, 14), (1e-6, 12), (1e-7, 9)]
)
def test_ratings_that_hug_their_mean_keep_their_digits(
    spread: float, digits: int, passages: int
) -> None:
    rng = np.random.default_rng(passages)
    experts = rng.integers(1, 6, size=(passages, 3)).astype(float)
    ratings = 3.3 + spread * rng.random(passages)
    metric = Pearson()
    rows = np.array(
        [statistics(metric, gold, rating) for gold, rating in zip(experts, ratings, strict=True)]
    )
    score = float(metric.aggregate(rows.sum(axis=0)))
    gold = [(sum(three) / 3) - 3 for three in experts.tolist()]
    assert score == pytest.approx(exact_pearson(gold, ratings - 3), abs=10.0**-digits)
    assert score == float(metric.aggregate(rows[::-1].sum(axis=0)))  # whatever the order


@pytest.mark.parametrize("rating", [3.3, 1 / 3, 4.999, 1e-9, 1000 / 3])
def test_ratings_that_do_not_vary_have_no_correlation(rating: float) -> None:
    metric = Pearson()
    for passages in (2, 7, 300):
        rows = np.array([statistics(metric, (1 + index % 5,), rating) for index in range(passages)])
        assert math.isnan(float(metric.aggregate(rows.sum(axis=0))))
        assert metric.report(rows).remarks == ["undefined: the ratings are all the same"]


def test_ratings_that_differ_by_less_than_a_billionth_are_reported() -> None:
    metric = Pearson()
    rows = np.array([statistics(metric, (gold,), 3.3 + 1e-13 * gold) for gold in (1, 3, 5)])
    assert math.isnan(float(metric.aggregate(rows.sum(axis=0))))
    assert metric.report(rows).remarks == [
        "undefined: the ratings, or the gold ratings, differ by less than a billionth"
    ]
