"""The search for contexts, against every subset looked at by itself."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.tasks.reasoning.context_search import list_contexts


def subsets(
    probabilities: list[float], conflicts: list[frozenset[int]]
) -> list[tuple[tuple[bool, ...], float]]:
    """Contexts by their definition, with normalised weights."""

    def consistent(kept: tuple[bool, ...]) -> bool:
        return not any(all(kept[number] for number in conflict) for conflict in conflicts)

    def could_be_kept(number: int, kept: tuple[bool, ...]) -> bool:
        """Beside all that is kept; a certain number only has to go with certain ones."""
        certain = probabilities[number] == 1
        beside = [
            keep and (not certain or probability == 1)
            for keep, probability in zip(kept, probabilities, strict=True)
        ]
        beside[number] = True
        return consistent(tuple(beside))

    contexts = []
    for kept in product([True, False], repeat=len(probabilities)):
        if not consistent(kept):
            continue
        dropped = [number for number, keep in enumerate(kept) if not keep]
        if any(could_be_kept(number, kept) for number in dropped):
            continue
        weight = math.prod(
            1.0 if chance == 1 else chance if keep else 1 - chance
            for chance, keep in zip(probabilities, kept, strict=True)
        )
        contexts.append((kept, weight))
    total = sum(weight for _, weight in contexts)
    return [(kept, weight / total) for kept, weight in contexts]


PROBABILITIES = st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_contexts_are_those_of_every_subset(data: st.DataObject) -> None:
    probabilities = data.draw(st.lists(PROBABILITIES, min_size=1, max_size=7))
    numbers = st.integers(0, len(probabilities) - 1)
    conflicts = data.draw(st.lists(st.frozensets(numbers, min_size=1, max_size=3), max_size=7))
    listed = list_contexts(probabilities, list(dict.fromkeys(conflicts)), most=1_000)
    expected = dict(subsets(probabilities, conflicts))
    assert listed.missed == -math.inf
    assert listed.examined == len(expected)
    assert {tuple(kept): math.exp(weight - listed.total) for weight, kept in listed.contexts} == (
        pytest.approx(expected)
    )


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_narrow_search_stays_within_its_bounds(data: st.DataObject) -> None:
    probabilities = data.draw(st.lists(PROBABILITIES, min_size=3, max_size=8))
    numbers = st.integers(0, len(probabilities) - 1)
    conflicts = data.draw(
        st.lists(st.frozensets(numbers, min_size=2, max_size=3), min_size=2, max_size=9)
    )
    listed = list_contexts(probabilities, list(dict.fromkeys(conflicts)), most=3, width=1)
    expected = dict(subsets(probabilities, conflicts))
    assert listed.contexts
    whole = math.exp(listed.total) + (0 if listed.missed == -math.inf else math.exp(listed.missed))
    for weight, kept in listed.contexts:
        chance = expected[tuple(kept)]
        assert math.exp(weight) / whole <= chance * (1 + 1e-9)
        assert chance <= math.exp(weight - listed.total) * (1 + 1e-9)
