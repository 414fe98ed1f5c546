"""Pooling features with an encoder: shares of sentences and exponents, worked by hand."""

import numpy as np
import pytest

from readmark.comprehension.evidence.pooling import FLOOR, Pooling


def test_probabilities_are_pooled_as_a_product_of_powers() -> None:
    # 0.2^1 * 0.9^0.5 : 0.8^1 * 0.1^0.5 = 0.18974 : 0.25298
    pooled = Pooling(1.0, 0.5).pooled(np.array([0.2, 0.8]), np.array([0.9, 0.1]))
    assert pooled == pytest.approx([0.42857, 0.57143], abs=1e-5)


def test_neither_side_can_rule_a_sentence_out() -> None:
    pooled = Pooling(1.0, 1.0).pooled(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    assert pooled == pytest.approx([1 / (1 + FLOOR), FLOOR / (1 + FLOOR)])


def test_features_decide_alone_where_the_encoder_read_nothing() -> None:
    pooled = Pooling(2.0, 1.0).pooled(np.array([0.25, 0.75]), np.zeros(2))
    assert pooled == pytest.approx([0.1, 0.9])  # 1 : 9
