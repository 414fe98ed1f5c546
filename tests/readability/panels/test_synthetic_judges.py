"""Synthetic judges: their bias, noise, drift and use of the scale are as their traits say."""

import numpy as np
import pytest

from readmark.core.errors import UsageError
from readmark.readability.panels.rounds import ROUND
from readmark.readability.panels.synthetic_judges import (
    Draws,
    JudgeTraits,
    on_scale,
    qualities,
    rate,
)

MIDDLING = np.full(400, 3.0)
FIRST = [0.5118216247002568, 0.9504636963259353, 0.14415961271963373]
PLAIN = JudgeTraits(bias=0, noise=0, stars=False)


def test_draws_are_uniform_and_normal_and_never_change() -> None:
    draws = Draws(1)
    uniform, normal = draws.uniform(40_000), draws.normal(40_000)
    assert 0 < uniform.min() < uniform.max() < 1
    assert uniform.mean() == pytest.approx(0.5, abs=0.01)
    assert (normal.mean(), normal.std()) == pytest.approx((0, 1), abs=0.02)
    assert np.abs(np.quantile(normal, [0.025, 0.975])) == pytest.approx([1.96, 1.96], abs=0.05)
    assert Draws(1).uniform(3).tolist() == FIRST


def test_a_judge_without_traits_tells_the_quality() -> None:
    quality = np.array([1.0, 2.4, 5.0])
    panel = rate(quality, 2, PLAIN, Draws(1))
    assert np.array_equal(panel.ratings, np.column_stack([quality, quality]))
    assert panel.rated.all()


def test_bias_is_the_judges_own_and_noise_the_passages() -> None:
    biased = rate(MIDDLING, 300, JudgeTraits(bias=0.5, noise=0, stars=False), Draws(2)).ratings
    assert np.ptp(biased, axis=0).max() == 0
    assert biased[0].std() == pytest.approx(0.5, abs=0.05)
    noisy = rate(MIDDLING, 300, JudgeTraits(bias=0, noise=0.5, stars=False), Draws(2)).ratings
    assert noisy.std(axis=0).mean() == pytest.approx(0.5, abs=0.01)
    assert noisy.mean(axis=0).std() < 0.05


def test_drift_grows_with_the_rounds_of_the_judges_own_order() -> None:
    panel = rate(
        np.full(50, 3.0), 40, JudgeTraits(bias=0, noise=0, drift=0.1, stars=False), Draws(3)
    )
    counts = [np.bincount(panel.rounds[:, judge])[1:].tolist() for judge in range(40)]
    assert counts == [[ROUND] * 5] * 40
    assert not np.array_equal(panel.rounds[:, 0], panel.rounds[:, 1])
    for ratings, rounds in zip(panel.ratings.T, panel.rounds.T, strict=True):
        by_round = [np.unique(ratings[rounds == number]).tolist() for number in range(1, 6)]
        assert [len(values) for values in by_round] == [1] * 5
        assert by_round[0] == [3]
        assert np.allclose(np.diff(np.ravel(by_round)), by_round[1][0] - 3)


def test_stretch_widens_or_narrows_about_the_middle() -> None:
    quality = np.array([2.5, 3.0, 3.5])
    ratings = rate(
        quality, 200, JudgeTraits(bias=0, noise=0, stretch=0.3, stars=False), Draws(4)
    ).ratings
    assert (ratings[1] == 3).all()
    assert np.allclose(ratings[2] - 3, 3 - ratings[0])
    assert np.log((ratings[2] - 3) / 0.5).std() == pytest.approx(0.3, abs=0.04)


def test_stars_and_the_ends_of_the_scale() -> None:
    unbounded = np.array([0.2, 1.49, 1.5, 2.5, 5.4, 9.0])
    assert on_scale(unbounded, stars=True).tolist() == [1, 1, 2, 3, 5, 5]
    assert on_scale(unbounded, stars=False).tolist() == [1, 1.49, 1.5, 2.5, 5, 5]
    ratings = rate(qualities(200, Draws(5)), 5, JudgeTraits(), Draws(6)).ratings
    assert set(np.unique(ratings)) <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_missing_and_seeds() -> None:
    panel = rate(MIDDLING, 10, JudgeTraits(missing=0.25), Draws(7))
    assert panel.rated.mean() == pytest.approx(0.75, abs=0.03)
    again = rate(MIDDLING, 10, JudgeTraits(missing=0.25), Draws(7))
    assert np.array_equal(panel.ratings, again.ratings)
    assert np.array_equal(panel.rated, again.rated)
    other = rate(MIDDLING, 10, JudgeTraits(missing=0.25), Draws(8))
    assert not np.array_equal(panel.ratings, other.ratings)


@pytest.mark.parametrize("wrong", [{"bias": -1}, {"noise": -0.1}, {"missing": 1}, {"drift": 1e9}])
def test_traits_that_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        JudgeTraits(**wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="negative"):
        Draws(-1)
