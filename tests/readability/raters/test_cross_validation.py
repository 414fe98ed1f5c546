"""Cross-validation: articles stay whole in folds and draws, and figures are worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.readability.raters.cross_validation import folds_of, groups_of, interval, validate
from readmark.readability.raters.training import doubts


@given(st.lists(st.sampled_from("abcdefgh"), min_size=10, max_size=60), st.integers(0, 99))
def test_a_group_is_never_cut(groups: list[str], seed: int) -> None:
    if len(set(groups)) < 2:
        return
    folds = folds_of(groups, seed)
    assert len({(group, fold) for group, fold in zip(groups, folds, strict=True)}) == len(
        set(groups)
    )
    assert folds.tolist() == folds_of(groups, seed).tolist()
    assert set(folds.tolist()) == set(range(min(5, len(set(groups)))))


def test_one_article_cannot_be_validated() -> None:
    with pytest.raises(DataError, match="one article"):
        folds_of(["a"] * 30, 1)


def test_equal_texts_of_several_articles_are_one_group() -> None:
    keys = [("t1", "a"), ("t2", "b"), ("t1", "c"), ("t3", None), ("t4", "c"), ("t3", None)]
    assert groups_of(keys) == ["a", "b", "a", "t3", "a", "t3"]


@given(st.lists(st.tuples(st.sampled_from("tuvwxyz"), st.sampled_from(["a", "b", "c", "d", None]))))
def test_passages_of_one_text_or_article_are_never_apart(
    keys: list[tuple[str, str | None]],
) -> None:
    groups = groups_of(keys)
    for key, group in zip(keys, groups, strict=True):
        for other, other_group in zip(keys, groups, strict=True):
            if key[0] == other[0] or (key[1] is not None and key[1] == other[1]):
                assert group == other_group


def test_the_interval_holds_the_figure() -> None:
    chance = np.random.default_rng(1)
    predicted = chance.normal(size=200)
    r, low, high = interval(predicted, predicted + chance.normal(size=200), 1, draws=200)
    assert low < r < high
    assert high - low < 0.3


def test_the_interval_draws_articles_whole() -> None:
    """Ten articles that differ: their passages are no three hundred independent ones."""
    chance = np.random.default_rng(3)
    groups = [f"a{index // 30}" for index in range(300)]
    predicted = np.repeat(chance.normal(size=10), 30) + chance.normal(size=300) / 10
    ratings = np.repeat(chance.normal(size=10), 30) + chance.normal(size=300) / 10
    _, low, high = interval(predicted, ratings, 1, draws=300)
    _, lower, higher = interval(predicted, ratings, 1, draws=300, groups=groups)
    assert higher - lower > 2 * (high - low)


def test_the_error_is_of_what_is_written_and_stands_beside_the_means() -> None:
    ratings = np.tile(np.arange(1.0, 6.0), 20)
    folds = np.arange(100) // 5 % 5
    groups = [str(index) for index in range(100)]
    exact = validate(2 + ratings / 4, ratings, folds, groups, 1.5, 1)
    assert exact.r == pytest.approx(1)
    assert exact.mean_error == pytest.approx(math.sqrt(2), abs=1e-4)
    # the slope that is wanted is 4, its bound 1.5: what is left is 1 - 1.5 / 4 of the spread
    assert exact.error == pytest.approx(math.sqrt(2) * (1 - 1.5 / 4), abs=1e-4)
    assert not list(doubts(exact, bounded=False))
    inverse = validate(6 - ratings, ratings, folds, groups, 0.5, 1)
    interval_doubt, error_doubt, slope_doubt = doubts(inverse, bounded=True)
    assert "over 0" in interval_doubt
    assert "of the mean" in error_doubt
    assert "at a bound" in slope_doubt
