"""Pairs of the greatest credit such that nothing stands for two things, against all choices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.alignment import AnswerPair, best_consistent, total


def consistent(pairs: Sequence[AnswerPair]) -> bool:
    """Whether no answer and no entity is in two ways."""
    stands = {pair for one in pairs for pair in one.entities}
    sides = (
        [one.said for one in pairs],
        [one.wanted for one in pairs],
        [a for a, _ in stands],
        [b for _, b in stands],
    )
    return all(len(set(side)) == len(side) for side in sides)


def brute(pairs: Sequence[AnswerPair]) -> float:
    """The greatest credit of all consistent choices."""
    choices = itertools.chain.from_iterable(
        itertools.combinations(pairs, size) for size in range(len(pairs) + 1)
    )
    return max(total(one) for one in choices if consistent(one))


PAIR = st.builds(
    lambda said, wanted, entities, credit: AnswerPair(
        said, wanted, tuple(entities.items()), credit
    ),
    st.integers(0, 4),
    st.integers(0, 4),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("wxyz"), max_size=3).filter(
        lambda found: len(set(found.values())) == len(found)
    ),
    st.sampled_from([0.25, 0.5, 1.0]),
)


@pytest.mark.slow
@given(st.lists(PAIR, max_size=9))
def test_the_greatest_of_all_choices(pairs: list[AnswerPair]) -> None:
    found = best_consistent(pairs)
    assert consistent(found)
    assert total(found) == pytest.approx(brute(pairs))
    assert best_consistent(pairs) == found


@given(st.lists(PAIR, max_size=9))
def test_a_search_that_is_cut_short_is_still_consistent(pairs: list[AnswerPair]) -> None:
    found = best_consistent(pairs, looks=0)
    assert consistent(found)
    assert total(found) <= brute(pairs) + 1e-9


def test_what_is_supported_most_is_not_always_best() -> None:
    """a stands for x in two answers of 0.25 each, and for y in one of 1."""
    pairs = [
        AnswerPair(0, 0, (("a", "x"), ("b", "w")), 0.25),
        AnswerPair(1, 1, (("a", "x"), ("c", "z")), 0.25),
        AnswerPair(2, 2, (("a", "y"),), 1.0),
    ]
    assert best_consistent(pairs) == [pairs[2]]


def test_thousands_of_answers_that_have_nothing_in_common() -> None:
    pairs = [AnswerPair(at, at, ((f"a{at}", f"b{at}"),), 0.5) for at in range(5000)]
    assert total(best_consistent(pairs)) == 2500
