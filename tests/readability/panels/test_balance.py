"""Rounds and shares: what every genre and topic gets, on any pool."""

from collections import Counter
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.readability.panels.dealing import bound, deal_rounds, largest_deviation
from readmark.readability.panels.fair_share import share_of

pools = st.lists(
    st.tuples(st.sampled_from("ABCDEFG"), st.sampled_from("stuvw")), min_size=1, max_size=90
).map(lambda cells: {f"p{index}": cell for index, cell in enumerate(cells)})


def labels(pool: dict[str, tuple[str, str]], side: int) -> dict[str, str]:
    return {id: cell[side] for id, cell in pool.items()}


@given(pools, st.integers(2, 12), st.booleans(), st.integers(0, 5))
def test_every_round_has_its_share_of_genres_and_topics(
    pool: dict[str, tuple[str, str]], size: int, even: bool, seed: int
) -> None:
    rounds = deal_rounds(pool, size, even=even, seed=seed)
    assert sorted(id for round_ in rounds for id in round_) == sorted(pool)
    assert len(rounds) == ceil(len(pool) / size)
    sizes = [len(round_) for round_ in rounds]
    if even:
        assert max(sizes) <= size
        assert max(sizes) - min(sizes) <= 1
    else:
        assert set(sizes[:-1]) <= {size}
    for side in (0, 1):
        assert largest_deviation(rounds, labels(pool, side)) < bound(rounds)


@given(pools, st.integers(2, 8), st.integers(0, 5))
def test_equal_rounds_have_floor_or_ceiling_of_each(
    pool: dict[str, tuple[str, str]], size: int, seed: int
) -> None:
    whole = dict(list(pool.items())[: len(pool) // size * size])
    rounds = deal_rounds(whole, size, seed=seed)
    for side in (0, 1):
        for name, count in Counter(labels(whole, side).values()).items():
            for round_ in rounds:
                in_round = sum(whole[id][side] == name for id in round_)
                assert floor(count / len(rounds)) <= in_round <= ceil(count / len(rounds))
    for cell, count in Counter(whole.values()).items():
        for round_ in rounds:
            assert abs(sum(whole[id] == cell for id in round_) - count / len(rounds)) < 2


@given(pools, st.fractions(0, 1, max_denominator=20), st.integers(0, 5))
def test_a_share_is_floor_or_ceiling_of_all_genres_topics_and_pairs(
    pool: dict[str, tuple[str, str]], share: Fraction, seed: int
) -> None:
    taken = share_of(pool, share, seed=seed)
    groups: dict[object, set[str]] = {}
    for id, (genre, topic) in pool.items():
        for label in ("all", ("genre", genre), ("topic", topic), ("pair", genre, topic)):
            groups.setdefault(label, set()).add(id)
    for ids in groups.values():
        assert floor(share * len(ids)) <= len(taken & ids) <= ceil(share * len(ids))


def test_the_same_seed_deals_alike_in_whatever_order_the_pool_stands() -> None:
    pool = {f"p{index}": ("AB"[index % 2], "stu"[index % 3]) for index in range(37)}
    back = dict(reversed(list(pool.items())))
    assert deal_rounds(pool, 10, seed=3) == deal_rounds(back, 10, seed=3)
    assert share_of(pool, Fraction(1, 3), seed=3) == share_of(back, Fraction(1, 3), seed=3)
    assert deal_rounds(pool, 10, seed=3) != deal_rounds(pool, 10, seed=4)


def test_what_is_left_over_is_the_last_round() -> None:
    pool = {f"p{index}": ("A", "s") for index in range(23)}
    assert [len(round_) for round_ in deal_rounds(pool, 10)] == [10, 10, 3]
    assert [len(round_) for round_ in deal_rounds(pool, 10, even=True)] == [8, 8, 7]


def test_a_round_of_one_cannot_be_put_in_order() -> None:
    with pytest.raises(UsageError, match="two passages or more"):
        deal_rounds({"a": ("A", "s")}, 1)


def test_the_distance_is_that_from_the_share_of_the_round() -> None:
    label = {"a": "x", "b": "x", "c": "y", "d": "y"}
    assert largest_deviation([["a", "c"], ["b", "d"]], label) == 0
    assert largest_deviation([["a", "b"], ["c", "d"]], label) == 1
    assert largest_deviation([["a", "b", "c"], ["d"]], label) == 0.5
