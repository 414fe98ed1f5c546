"""Regressions: the weights that made the judgements, and what SciPy fits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import Lazy
from readmark.core.errors import DataError
from readmark.series.tuning.order_similarities import OrderSimilarities
from readmark.series.tuning.regression import regress

optimize = Lazy("scipy.optimize")


def with_every_order(similarities: object) -> OrderSimilarities:
    values = np.array(similarities)
    return OrderSimilarities(values, np.ones(values.shape))


def test_a_regression_finds_the_weights_that_made_the_judgements() -> None:
    rows = np.random.default_rng(5).random((40, 1, 3))
    judged = [float(1 + 4 * (0.7 * row[0, 0] + 0.3 * row[0, 1])) for row in rows]
    weights = regress([with_every_order(row) for row in rows], judged, (1, 1, 1))
    assert weights.weights == pytest.approx((0.7, 0.3, 0.0), abs=1e-6)
    assert (weights.slope, weights.intercept) == pytest.approx((4, 1))
    assert weights.residual == pytest.approx(0, abs=1e-9)


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
    weights = regress([with_every_order(row) for row in rows], list(judged), (2, 1, 0))
    assert weights.residual == pytest.approx(left / math.sqrt(12), abs=1e-6)
    assert min(weights.weights) >= 0
