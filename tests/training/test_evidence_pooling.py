"""Learning how to pool features with an encoder: exponents that are known beforehand."""

import math

import numpy as np
import pytest

from training.evidence.pooling import PoolingExample, learn_pooling

SURE, HALF = 0.8, 0.5


def logit(share: float) -> float:
    return math.log(share / (1 - share))


@pytest.mark.parametrize("right", [0.6, 0.75])
def test_an_overconfident_encoder_is_toned_down(right: float) -> None:
    """Always 0.9 sure and right less often: 9^b = odds of being right, so b is known."""
    examples = [
        PoolingExample(np.array([HALF, HALF]), np.array([0.9, 0.1]), np.array(gold), weight)
        for gold, weight in (([1.0, 0.0], right), ([0.0, 1.0], 1 - right))
    ]
    learnt = learn_pooling(examples)
    assert learnt.encoder == pytest.approx(logit(right) / logit(0.9), rel=0.01)


def test_exponents_of_two_sides_that_contradict_each_other() -> None:
    """Four cells of evidence and their odds: logit = 0.5 logit(0.8) ± 1 logit(0.8) of both."""
    features, encoder = 0.5, 1.0
    examples = []
    for by_features in (SURE, 1 - SURE):
        for by_encoder in (SURE, 1 - SURE):
            odds = features * logit(by_features) + encoder * logit(by_encoder)
            share = 1 / (1 + math.exp(-odds))
            sides = (
                np.array([by_features, 1 - by_features]),
                np.array([by_encoder, 1 - by_encoder]),
            )
            examples.append(PoolingExample(*sides, np.array([1.0, 0.0]), share))
            examples.append(PoolingExample(*sides, np.array([0.0, 1.0]), 1 - share))
    learnt = learn_pooling(examples)
    assert (learnt.features, learnt.encoder) == pytest.approx((features, encoder), rel=0.01)


def test_what_is_always_right_has_finite_exponents() -> None:
    sure = PoolingExample(np.array([0.6, 0.4]), np.array([0.9, 0.1]), np.array([1.0, 0.0]))
    learnt = learn_pooling([sure] * 3)
    assert math.isfinite(learnt.features)
    assert 0 < learnt.encoder < 20
