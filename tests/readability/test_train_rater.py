"""Training a rater: folds that keep articles whole, figures by hand, and what is refused."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import Lazy
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.readability.raters.training import (
    _doubts,
    _passages,
    _validated,
    correlation,
    folds_of,
    groups_of,
    interval,
    train_rater,
)
from readmark.statistics.correlation import mean_ranks

stats = Lazy("scipy.stats")


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


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30))
def test_ranks_are_scipys(values: list[int]) -> None:
    found = mean_ranks(np.array(values, float))
    assert found.tolist() == stats.rankdata(values).tolist()


def test_a_constant_has_no_correlation() -> None:
    assert math.isnan(correlation(np.ones(3), np.arange(3.0)))
    assert correlation(np.arange(3.0), np.array([1.0, 2.0, 4.0])) == pytest.approx(
        stats.pearsonr([0, 1, 2], [1, 2, 4]).statistic
    )


def test_the_interval_holds_the_figure() -> None:
    chance = np.random.default_rng(1)
    one = chance.normal(size=200)
    r, low, high = interval(one, one + chance.normal(size=200), 1, draws=200)
    assert low < r < high
    assert high - low < 0.3


def saved(path: Path, *passages: RatedPassage, **header: str) -> Path:
    about = {"kind": "readability", "language": "en", "name": "own"} | header
    save_test(in_memory(Header(**about), list(passages)), path)
    return path


def rated(id: str, text: str, *stars: float, article: str | None = None) -> RatedPassage:
    ratings = tuple(Rating(star, f"e{at}") for at, star in enumerate(stars))
    return RatedPassage(id=id, text=text, article=article, key=RatingKey(ratings))


def test_ratings_are_means_and_equal_texts_one_group(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "t.jsonl",
        rated("a", "One text.", 3, 4, 5),
        rated("b", "One  text.", 2),
        rated("c", "Another.", 1, article="x"),
        rated("d", "No rating."),
        rated("e", "...", 3),
    )
    found, told = _passages(open_test(path))
    assert [one.rating for one in found] == [4, 2, 1]
    assert found[0].digest == found[1].digest != found[2].digest
    assert [one.article for one in found] == [None, None, "x"]
    assert (told.passages, told.skipped, told.name) == (3, 2, "own")


def test_what_is_no_readability_test_in_english_is_refused(tmp_path: Path) -> None:
    chinese = saved(tmp_path / "zh.jsonl", rated("a", "猫。", 3), language="zh")
    with pytest.raises(UsageError, match="English"):
        train_rater([chinese], tmp_path / "m.json")
    with pytest.raises(UsageError, match="folder"):
        train_rater([chinese], tmp_path / "nowhere" / "m.json")


def test_equal_texts_of_several_articles_are_one_group() -> None:
    keys = [("t1", "a"), ("t2", "b"), ("t1", "c"), ("t3", None), ("t4", "c"), ("t3", None)]
    assert groups_of(keys) == ["a", "b", "a", "t3", "a", "t3"]


@given(st.lists(st.tuples(st.sampled_from("tuvwxyz"), st.sampled_from(["a", "b", "c", "d", None]))))
def test_passages_of_one_text_or_article_are_never_apart(
    keys: list[tuple[str, str | None]],
) -> None:
    groups = groups_of(keys)
    for one, mine in zip(keys, groups, strict=True):
        for other, theirs in zip(keys, groups, strict=True):
            if one[0] == other[0] or (one[1] is not None and one[1] == other[1]):
                assert mine == theirs


def test_the_interval_draws_articles_whole() -> None:
    """Ten articles that differ: their passages are no three hundred independent ones."""
    chance = np.random.default_rng(3)
    groups = [f"a{at // 30}" for at in range(300)]
    said = np.repeat(chance.normal(size=10), 30) + chance.normal(size=300) / 10
    ratings = np.repeat(chance.normal(size=10), 30) + chance.normal(size=300) / 10
    _, low, high = interval(said, ratings, 1, draws=300)
    _, lower, higher = interval(said, ratings, 1, draws=300, groups=groups)
    assert higher - lower > 2 * (high - low)


def test_the_error_is_of_what_is_written_and_stands_beside_the_means() -> None:
    ratings = np.tile(np.arange(1.0, 6.0), 20)
    folds = np.arange(100) // 5 % 5
    groups = [str(at) for at in range(100)]
    exact = _validated(2 + ratings / 4, ratings, folds, groups, 1.5, 1)
    assert exact.r == pytest.approx(1)
    assert exact.mean_error == pytest.approx(math.sqrt(2), abs=1e-4)
    # the slope that is wanted is 4, its bound 1.5: what is left is 1 - 1.5 / 4 of the spread
    assert exact.error == pytest.approx(math.sqrt(2) * (1 - 1.5 / 4), abs=1e-4)
    assert not list(_doubts(exact, bounded=False))
    inverse = _validated(6 - ratings, ratings, folds, groups, 0.5, 1)
    told = list(_doubts(inverse, bounded=True))
    assert [("over 0" in one, "mean" in one, "bound" in one) for one in told] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_the_model_never_takes_the_place_of_a_test(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.jsonl", rated("a", "One text.", 3))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="being read"):
        train_rater([path], path)
    assert path.read_bytes() == before
