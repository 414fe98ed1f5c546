"""How the weights of the shipped rater are fitted: near the expected ones, levels in order."""

import numpy as np
import pytest
from numpy.typing import NDArray

from readmark.readability.raters.features.families import features_of
from training.rater import LEAST, MOST, Versions, _towards, expected, fit, rate_rows


def test_the_expected_weights_share_the_loudness_of_a_voice() -> None:
    features = features_of()
    names = [feature.name for feature in features]
    weights = dict(zip(names, expected(features), strict=True))
    words = [weight for name, weight in weights.items() if name in ("syllables", "frequency")]
    assert words == [pytest.approx(-2 / 16), pytest.approx(2 / 16)]
    assert weights["talk"] == 0


def test_weights_stay_within_bounds_of_the_expected_ones() -> None:
    chance = np.random.default_rng(3)
    values = chance.normal(size=(80, 4))
    ratings = values @ np.array([1.0, -1.0, 0.5, 0.0])
    prior = np.array([0.5, 0.5, 0.5, 0.0])
    weights = _towards(values, ratings, prior, 0.01)
    scaled = _scaled(values, ratings, prior)
    assert (weights >= LEAST * scaled - 1e-9).all()
    assert (weights <= MOST * scaled + 1e-9).all()
    assert weights[0] > weights[1] > 0  # the second has the wrong direction, and stays at its bound
    assert weights[3] == 0


def _scaled(
    values: NDArray[np.float64], ratings: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    along = values @ prior
    scaled: NDArray[np.float64] = prior * float(along @ ratings / (along @ along))
    return scaled


def test_a_shipped_fit_puts_levels_in_order_and_broken_text_below() -> None:
    chance = np.random.default_rng(4)
    features = features_of()
    directions = np.array([feature.easier for feature in features], float)
    fluent = np.array([feature.family == "fluency" for feature in features])
    usual = chance.normal(size=(300, len(features)))
    articles = np.repeat(np.arange(20), 4)
    levels = np.tile([3.7, 3.2, 2.8, 3.2], 20)
    left = np.tile([1.0, 1.0, 1.0, 0.2], 20)
    values = chance.normal(size=(80, len(features))) * 0.3
    values += (levels - 3.2)[:, None] * directions * ~fluent
    values[left < 1] -= 5 * (directions * fluent)
    rater = fit(features, usual, Versions(values, levels, left, articles), penalty=1.0)
    ratings = rate_rows(rater, values).reshape(20, 4)
    assert (ratings[:, 0] > ratings[:, 2]).all()
    assert (ratings[:, 3] < ratings[:, 2]).all()
