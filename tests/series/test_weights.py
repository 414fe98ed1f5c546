"""Weights: searched by direct definitions, fitted as SciPy fits them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import Lazy
from readmark.core.errors import DataError
from readmark.series.weights import (
    OrderSimilarities,
    Tried,
    integer_weights,
    mean_scores,
    nearby_weights,
    real_weights,
    regress,
)

optimize = Lazy("scipy.optimize")

SHARE = st.floats(0, 1, allow_nan=False)
PARTS = st.lists(st.lists(SHARE, min_size=3, max_size=3), min_size=1, max_size=3)


def with_every_order(similarities: object) -> OrderSimilarities:
    values = np.array(similarities)
    return OrderSimilarities(values, np.ones(values.shape))


def test_each_ratio_of_whole_weights_stands_once() -> None:
    assert integer_weights(1) == [
        *((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)),
    ]
    every = integer_weights(4)
    assert len({tuple(np.round(np.array(one) / sum(one), 9)) for one in every}) == len(every)
    assert (2, 1, 0) in every
    assert (4, 2, 0) not in every


def test_drawn_weights_sum_to_one_and_the_seed_decides() -> None:
    drawn = [*real_weights(3), *nearby_weights((0.6, 0.4, 0.0), 3)]
    assert all(min(one) >= 0 and math.isclose(sum(one), 1, abs_tol=1e-5) for one in drawn)
    assert real_weights(3) == real_weights(3) != real_weights(4)


@given(st.lists(PARTS, min_size=1, max_size=4))
def test_scores_are_the_best_weighted_mean_over_golds(rewrites: list[list[list[float]]]) -> None:
    every = integer_weights(2)
    direct = [
        sum(
            max(sum(w * s for w, s in zip(ws, gold, strict=True)) / sum(ws) for gold in golds)
            for golds in rewrites
        )
        / len(rewrites)
        for ws in every
    ]
    found = mean_scores([with_every_order(golds) for golds in rewrites], every)
    assert found == pytest.approx(np.array(direct))


def test_an_order_that_neither_text_has_does_not_count() -> None:
    other_word = OrderSimilarities(
        np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])
    )  # cat, dog
    same_pair = OrderSimilarities(np.array([[1.0, 1.0, 1.0]]), np.array([[1.0, 1.0, 0.0]]))
    swapped = OrderSimilarities(np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0]]))
    every = [(2.0, 1.0, 0.0), (1.0, 1.0, 2.0), (0.0, 0.0, 1.0)]
    assert mean_scores([other_word], every).tolist() == [0, 0, 0]
    assert mean_scores([same_pair], every).tolist() == [1, 1, 1]
    assert mean_scores([swapped], every) == pytest.approx([2 / 3, 1 / 2, 0])


@pytest.mark.parametrize(
    ("tried", "meets"),
    [
        (Tried(0.6, 0.7, 1.0, 0.15, 0.2), True),
        (Tried(0.7, 0.6, 1.0, 0.15, 0.2), False),
        (Tried(0.6, 0.7, 0.98, 0.15, 0.2), False),
        (Tried(0.6, 0.7, 1.0, 0.05, 0.2), False),
        (Tried(0.6, 0.7, 1.0, 0.25, 0.2), False),
    ],
)
def test_the_requirements(tried: Tried, meets: bool) -> None:
    assert tried.meets(0.1) is meets


def test_a_regression_finds_the_weights_that_made_the_judgements() -> None:
    rows = np.random.default_rng(5).random((40, 1, 3))
    judged = [float(1 + 4 * (0.7 * one[0, 0] + 0.3 * one[0, 1])) for one in rows]
    found = regress([with_every_order(row) for row in rows], judged, (1, 1, 1))
    assert found.weights == pytest.approx((0.7, 0.3, 0.0), abs=1e-6)
    assert (found.slope, found.intercept) == pytest.approx((4, 1))
    assert found.residual == pytest.approx(0, abs=1e-9)


@given(st.integers(0, 10_000))
def test_a_regression_leaves_as_little_as_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, noise = rng.random((12, 1, 3)), rng.random(12)
    judged = rows[:, 0] @ np.array([1.0, 0.2, -0.8]) + noise
    centred = rows[:, 0] - rows[:, 0].mean(axis=0)
    solution, left = optimize.nnls(centred, judged - judged.mean())
    if not solution.any():
        with pytest.raises(DataError, match="do not rise"):
            regress([with_every_order(row) for row in rows], list(judged), (2, 1, 0))
        return
    found = regress([with_every_order(row) for row in rows], list(judged), (2, 1, 0))
    assert found.residual == pytest.approx(left / math.sqrt(12), abs=1e-6)
    assert min(found.weights) >= 0
