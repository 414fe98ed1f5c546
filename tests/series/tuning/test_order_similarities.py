"""Scores of weightings, computed by direct definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.tuning.order_similarities import OrderSimilarities, mean_scores
from readmark.series.tuning.weightings import integer_weights

SHARE = st.floats(0, 1, allow_nan=False)
PARTS = st.lists(st.lists(SHARE, min_size=3, max_size=3), min_size=1, max_size=3)


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
    similarities = [
        OrderSimilarities(np.array(golds), np.ones((len(golds), 3))) for golds in rewrites
    ]
    assert mean_scores(similarities, every) == pytest.approx(np.array(direct))


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
