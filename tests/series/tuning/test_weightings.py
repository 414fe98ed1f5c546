"""Weightings that a search tries: each ratio once, or drawn by a seed."""

import math

import numpy as np

from readmark.series.tuning.weightings import integer_weights, nearby_weights, real_weights


def test_each_ratio_of_whole_weights_stands_once() -> None:
    assert integer_weights(1) == [
        *((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)),
    ]
    every = integer_weights(4)
    assert len({tuple(np.round(np.array(weights) / sum(weights), 9)) for weights in every}) == len(
        every
    )
    assert (2, 1, 0) in every
    assert (4, 2, 0) not in every


def test_drawn_weights_sum_to_one_and_the_seed_decides() -> None:
    drawn = [*real_weights(3), *nearby_weights((0.6, 0.4, 0.0), 3)]
    assert all(min(weights) >= 0 for weights in drawn)
    assert all(math.isclose(sum(weights), 1, abs_tol=1e-5) for weights in drawn)
    assert real_weights(3) == real_weights(3) != real_weights(4)
