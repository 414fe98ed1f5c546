"""Calibration: the line to people's ratings, its bounds, and what it does to a rater."""

import numpy as np
import pytest

from rater_lessons import NAMES, lessons
from readmark.readability.raters.calibration import Calibration, calibrate, calibration
from readmark.readability.raters.fit import fit, predict


@pytest.mark.parametrize(
    ("predicted", "ratings", "slope", "intercept"),
    [
        ([1, 2, 3], [2, 3, 4], 1.0, 1.0),
        ([1, 2, 3], [1, 3, 5], 1.5, 0.0),  # at the upper bound
        ([2, 2, 2], [1, 2, 3], 1.0, 0.0),  # predictions that do not vary
    ],
)
def test_the_calibrating_line(
    predicted: list[float], ratings: list[float], slope: float, intercept: float
) -> None:
    line = calibration(np.array(predicted, float), np.array(ratings, float))
    assert (line.slope, line.intercept) == (slope, pytest.approx(intercept))


def test_calibration_moves_every_rating_by_the_line() -> None:
    passages = lessons(450, words=True)
    rater = fit(passages, NAMES)
    line = Calibration(0.8, 0.3)
    before, after = predict(rater, passages), predict(calibrate(rater, line), passages)
    assert after == pytest.approx(0.3 + 0.8 * before, abs=1e-6)
