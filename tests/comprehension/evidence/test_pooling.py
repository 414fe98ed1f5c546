"""Pooling features with an encoder: shares of sentences and exponents, worked by hand."""

import math

import numpy as np
import pytest

from readmark.comprehension.evidence.pooling import FLOOR, Pooling
from training.evidence.pooling import PoolingExample, learn_pooling

FOUR, HALF = 0.8, 0.5


def logit(share: float) -> float:
    return math.log(share / (1 - share))


def test_a_product_of_powers() -> None:
    # 0.2^1 * 0.9^0.5 : 0.8^1 * 0.1^0.5 = 0.18974 : 0.25298
    pooled = Pooling(1.0, 0.5).pooled(np.array([0.2, 0.8]), np.array([0.9, 0.1]))
    assert pooled == pytest.approx([0.42857, 0.57143], abs=1e-5)


def test_neither_side_can_rule_a_sentence_out() -> None:
    pooled = Pooling(1.0, 1.0).pooled(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    assert pooled == pytest.approx([1 / (1 + FLOOR), FLOOR / (1 + FLOOR)])


def test_features_alone_where_the_encoder_read_nothing() -> None:
    pooled = Pooling(2.0, 1.0).pooled(np.array([0.25, 0.75]), np.zeros(2))
    assert pooled == pytest.approx([0.1, 0.9])  # 1 : 9


@pytest.mark.parametrize("right", [0.6, 0.75])
def test_an_overconfident_encoder_is_toned_down(right: float) -> None:
    """Always 0.9 sure and right less often: 9^b = odds of being right, so b is known."""
    examples = [
        PoolingExample(np.array([HALF, HALF]), np.array([0.9, 0.1]), np.array(one), weight)
        for one, weight in (([1.0, 0.0], right), ([0.0, 1.0], 1 - right))
    ]
    learnt = learn_pooling(examples)
    assert learnt.encoder == pytest.approx(logit(right) / logit(0.9), rel=0.01)


def test_exponents_of_two_sides_that_contradict_each_other() -> None:
    """Four cells of evidence and their odds: logit = 0.5 logit(0.8) ± 1 logit(0.8) of both."""
    features, encoder = 0.5, 1.0
    examples = []
    for one in (FOUR, 1 - FOUR):
        for other in (FOUR, 1 - FOUR):
            odds = features * logit(one) + encoder * logit(other)
            share = 1 / (1 + math.exp(-odds))
            sides = np.array([one, 1 - one]), np.array([other, 1 - other])
            examples.append(PoolingExample(*sides, np.array([1.0, 0.0]), share))
            examples.append(PoolingExample(*sides, np.array([0.0, 1.0]), 1 - share))
    learnt = learn_pooling(examples)
    assert (learnt.features, learnt.encoder) == pytest.approx((features, encoder), rel=0.01)


def test_what_is_always_right_has_finite_exponents() -> None:
    sure = PoolingExample(np.array([0.6, 0.4]), np.array([0.9, 0.1]), np.array([1.0, 0.0]))
    learnt = learn_pooling([sure] * 3)
    assert math.isfinite(learnt.features)
    assert 0 < learnt.encoder < 20
