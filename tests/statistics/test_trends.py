"""Trends over ordered levels, against least squares, every flip of signs, and known designs."""

import itertools
import math

import numpy as np
import pytest

from readmark.statistics.trends import slope, trend

LEVELS = np.array([1, 1, 2, 2, 3, 3, 4, 4, 1, 4], dtype=np.float64)
VALUES = np.array([1, 1, 1, 0, 1, 0, 0, 0, 1, 0.5])
CODES = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 3])


def found(values: np.ndarray = VALUES, **more: object):  # type: ignore[no-untyped-def, type-arg]
    settings = {"seed": 1, "draws": 400, "trials": 4_000, **more}
    return trend(LEVELS, values, CODES, 4, **settings)  # type: ignore[arg-type]


def test_the_slope_is_that_of_least_squares() -> None:
    # By hand: mean level 2.5, mean value 0.55; Σ(x−x̄)(y−ȳ) = −3.75, Σ(x−x̄)² = 14.5.
    assert found().slope == pytest.approx(-3.75 / 14.5)
    assert found().slope == pytest.approx(float(np.polyfit(LEVELS, VALUES, 1)[0]))
    assert (found().units, found().clusters) == (10, 4)


def test_p_is_the_share_of_flipped_signs_of_whole_clusters() -> None:
    scores = (LEVELS - LEVELS.mean()) * (VALUES - VALUES.mean())
    parts = [scores[cluster == CODES].sum() for cluster in range(4)]
    totals = [
        abs(sum(sign * part for sign, part in zip(signs, parts, strict=True)))
        for signs in itertools.product((1, -1), repeat=4)
    ]
    exact = sum(total >= abs(sum(parts)) - 1e-9 for total in totals) / 16
    p = found().p
    assert p is not None
    assert abs(p - exact) < 4 * math.sqrt(exact * (1 - exact) / 4_000) + 1 / 4_000


def test_of_right_and_wrong_answers_it_is_the_contrast_of_cochran_and_armitage() -> None:
    """Σ x (right − n · share) over levels, the numerator of their test, over Σ (x − x̄)²."""
    right = (VALUES >= 0.75).astype(np.float64)
    share = right.mean()
    contrast = sum(
        level * (right[level == LEVELS].sum() - (level == LEVELS).sum() * share)
        for level in (1, 2, 3, 4)
    )
    spread = ((LEVELS - LEVELS.mean()) ** 2).sum()
    assert found(right).slope == pytest.approx(contrast / spread)


def test_whole_clusters_are_drawn() -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    drawn = []
    for _ in range(4_000):
        units = np.concatenate([np.flatnonzero(pick == CODES) for pick in rng.integers(0, 4, 4)])
        if len(set(LEVELS[units])) > 1:
            drawn.append(np.polyfit(LEVELS[units], VALUES[units], 1)[0])
    own = found(draws=4_000)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert own.low == pytest.approx(low, abs=0.03)
    assert own.high == pytest.approx(high, abs=0.03)
    jackknife = found(by_jackknife=True)
    assert jackknife.low is not None
    assert own.low is not None
    assert jackknife.low < own.low  # few clusters: the t interval is wider


def test_values_that_do_not_differ_have_no_trend() -> None:
    flat = found(np.full(10, 0.5))
    assert (flat.slope, flat.p) == (0.0, 1.0)


def test_what_has_no_trend() -> None:
    one_level = trend(
        np.ones(4), np.array([0.0, 1, 0, 1]), np.arange(4), 4, seed=1, draws=10, trials=10
    )
    assert (one_level.slope, one_level.low, one_level.p) == (None, None, None)
    one_cluster = trend(
        np.array([1.0, 2]), np.array([1.0, 0]), np.array([0, 0]), 1, seed=1, draws=10, trials=10
    )
    assert (one_cluster.slope, one_cluster.low, one_cluster.p) == (-1.0, None, None)
    assert np.isnan(slope(np.zeros(5)))


def test_p_holds_its_level_where_passages_differ_and_levels_do_not_matter() -> None:
    """Levels and answers both cluster by passage: a test of single units rejects too often."""
    rng = np.random.Generator(np.random.PCG64(3))
    rejected = by_units = 0
    for _ in range(300):
        codes = np.repeat(np.arange(30), 8)
        levels = np.repeat(rng.integers(1, 5, 30), 8).astype(np.float64)
        easy = np.repeat(rng.uniform(0.1, 0.9, 30), 8)
        values = (rng.random(240) < easy).astype(np.float64)
        settings = {"seed": 1, "draws": 1, "trials": 199}
        rejected += (trend(levels, values, codes, 30, **settings).p or 1) <= 0.05
        by_units += (trend(levels, values, np.arange(240), 240, **settings).p or 1) <= 0.05
    # 5% of 300 are 15; 29 would be four standard deviations more.
    assert rejected <= 29
    assert by_units > 40
