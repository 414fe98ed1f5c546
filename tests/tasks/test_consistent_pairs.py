"""Pairs of the greatest credit such that nothing stands for two things, against all choices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.consistent_pairs import AnswerPair, best_consistent, total


def is_consistent(pairs: Sequence[AnswerPair]) -> bool:
    """Whether no answer and no entity is in two ways."""
    entities = {entity_pair for pair in pairs for entity_pair in pair.entities}
    sides = (
        [pair.answer for pair in pairs],
        [pair.gold for pair in pairs],
        [ours for ours, _ in entities],
        [theirs for _, theirs in entities],
    )
    return all(len(set(side)) == len(side) for side in sides)


def greatest_credit(pairs: Sequence[AnswerPair]) -> float:
    """The greatest credit of all consistent choices, by trying each."""
    choices = itertools.chain.from_iterable(
        itertools.combinations(pairs, size) for size in range(len(pairs) + 1)
    )
    return max(total(choice) for choice in choices if is_consistent(choice))


PAIR = st.builds(
    lambda answer, gold, entities, credit: AnswerPair(
        answer, gold, tuple(entities.items()), credit
    ),
    st.integers(0, 4),
    st.integers(0, 4),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("wxyz"), max_size=3).filter(
        lambda entities: len(set(entities.values())) == len(entities)
    ),
    st.sampled_from([0.25, 0.5, 1.0]),
)


@pytest.mark.slow
@given(st.lists(PAIR, max_size=9))
def test_the_greatest_of_all_choices(pairs: list[AnswerPair]) -> None:
    chosen = best_consistent(pairs)
    assert is_consistent(chosen)
    assert total(chosen) == pytest.approx(greatest_credit(pairs))
    assert best_consistent(pairs) == chosen


@given(st.lists(PAIR, max_size=9))
def test_a_search_that_is_cut_short_is_still_consistent(pairs: list[AnswerPair]) -> None:
    assert is_consistent(best_consistent(pairs, looks=0))
