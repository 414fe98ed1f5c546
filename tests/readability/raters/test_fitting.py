"""Fitting: a planted rule is found, the shortcut for leaving out is right, calibration."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from readmark.readability.raters.features import features_of
from readmark.readability.raters.fit import (
    PENALTIES,
    Calibration,
    Lessons,
    _best_penalty,
    calibrate,
    calibration,
    fit,
    measure_lessons,
    predict,
)
from readmark.readability.raters.parses import parse_all
from training.rater import LEAST, MOST, Versions, _towards, expected, rate_rows
from training.rater import fit as fit_shipped

NAMES = ["depth", "letters", "verbs"]


def lessons(many: int = 200, *, words: bool = False) -> Lessons:
    chance = np.random.default_rng(1)
    values = chance.normal(size=(many, 3))
    bags = tuple(
        Counter(chance.choice(["easy", "hard", "plain", "odd", "word"], 8).tolist())
        for _ in range(many)
    )
    ratings = 3 + 0.4 * values[:, 0] - 0.3 * np.maximum(values[:, 1], 0)
    if words:
        ratings = ratings + np.array([0.1 * (bag["easy"] - bag["hard"]) for bag in bags])
    return Lessons(values, bags, chance.normal(size=(many, 4)), np.zeros((many, 0)), ratings)


def test_a_planted_rule_is_found_with_its_bend() -> None:
    given = lessons(400)
    rater = fit(given.subset(np.arange(300)), NAMES, words=False)
    unseen = given.subset(np.arange(300, 400))
    assert np.corrcoef(predict(rater, unseen), unseen.ratings)[0, 1] > 0.99


def test_words_are_learnt_where_they_matter() -> None:
    given = lessons(500, words=True)
    unseen = given.subset(np.arange(400, 500))
    found = [
        np.corrcoef(
            predict(fit(given.subset(np.arange(400)), NAMES, words=words), unseen), unseen.ratings
        )[0, 1]
        for words in (False, True)
    ]
    assert found[1] > found[0] + 0.02


def test_predicted_equals_what_the_rater_says() -> None:
    texts = [
        f"The {noun} ran {times} times round the old house."
        for noun in ("dog", "cat", "man")
        for times in ("two", "many", "seventeen")
    ]
    parsed = list(parse_all(texts))
    names = [feature.name for feature in features_of()]
    given = measure_lessons(parsed, names, np.linspace(2, 4, len(texts)).tolist(), embed=False)
    rater = fit(given, names, words=True)
    said = [rater.rate(one).rating for one in parsed]
    assert said == pytest.approx(predict(rater, given).tolist(), abs=1e-6)


def test_the_penalty_is_the_one_that_leaving_out_one_by_one_chooses() -> None:
    chance = np.random.default_rng(2)
    rows = chance.normal(size=(30, 5))
    wanted = rows @ chance.normal(size=5) + chance.normal(size=30)
    kernel = rows @ rows.T / 5

    def left_out(penalty: float) -> float:
        total = 0.0
        for at in range(30):
            kept = np.arange(30) != at
            dual = np.linalg.solve(kernel[kept][:, kept] + penalty * np.eye(29), wanted[kept])
            total += (wanted[at] - kernel[at, kept] @ dual) ** 2
        return float(total)

    assert _best_penalty(kernel, wanted) == min(PENALTIES, key=left_out)


@pytest.mark.parametrize(
    ("said", "ratings", "slope", "intercept"),
    [
        ([1, 2, 3], [2, 3, 4], 1.0, 1.0),
        ([1, 2, 3], [1, 3, 5], 1.5, 0.0),  # held at the most
        ([2, 2, 2], [1, 2, 3], 1.0, 0.0),  # nothing to go by
    ],
)
def test_the_calibrating_line(
    said: list[float], ratings: list[float], slope: float, intercept: float
) -> None:
    found = calibration(np.array(said, float), np.array(ratings, float))
    assert (found.slope, found.intercept) == (slope, pytest.approx(intercept))


def test_calibration_moves_every_rating_by_the_line() -> None:
    given = lessons(450, words=True)
    rater = fit(given, NAMES)
    by = Calibration(0.8, 0.3)
    before, after = predict(rater, given), predict(calibrate(rater, by), given)
    assert after == pytest.approx(0.3 + 0.8 * before, abs=1e-6)


def test_the_expected_weights_share_the_loudness_of_a_voice() -> None:
    features = features_of()
    found = dict(zip((one.name for one in features), expected(features), strict=True))
    words = [weight for name, weight in found.items() if name in ("syllables", "frequency")]
    assert words == [pytest.approx(-2 / 16), pytest.approx(2 / 16)]
    assert found["talk"] == 0


def test_weights_stay_within_bounds_of_the_expected_ones() -> None:
    chance = np.random.default_rng(3)
    values = chance.normal(size=(80, 4))
    wanted = values @ np.array([1.0, -1.0, 0.5, 0.0])
    prior = np.array([0.5, 0.5, 0.5, 0.0])
    found = _towards(values, wanted, prior, 0.01)
    scaled = _scaled(values, wanted, prior)
    assert (found >= LEAST * scaled - 1e-9).all()
    assert (found <= MOST * scaled + 1e-9).all()
    assert found[0] > found[1] > 0  # the second is wrong about its direction, and held
    assert found[3] == 0


def _scaled(
    values: NDArray[np.float64], wanted: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    along = values @ prior
    scaled: NDArray[np.float64] = prior * float(along @ wanted / (along @ along))
    return scaled


def test_a_shipped_fit_puts_levels_in_order_and_broken_text_below() -> None:
    chance = np.random.default_rng(4)
    features = features_of()
    directions = np.array([one.easier for one in features], float)
    fluent = np.array([one.family == "fluency" for one in features])
    usual = chance.normal(size=(300, len(features)))
    articles = np.repeat(np.arange(20), 4)
    levels = np.tile([3.7, 3.2, 2.8, 3.2], 20)
    left = np.tile([1.0, 1.0, 1.0, 0.2], 20)
    values = chance.normal(size=(80, len(features))) * 0.3
    values += (levels - 3.2)[:, None] * directions * ~fluent
    values[left < 1] -= 5 * (directions * fluent)
    rater = fit_shipped(features, usual, Versions(values, levels, left, articles), penalty=1.0)
    said = rate_rows(rater, values).reshape(20, 4)
    assert (said[:, 0] > said[:, 2]).all()
    assert (said[:, 3] < said[:, 2]).all()
