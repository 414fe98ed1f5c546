"""The best assignment, against scipy's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.assignment import best_assignment


def test_by_hand() -> None:
    # Greedy takes 9 and then 1; 8 + 7 is more.
    assert best_assignment([[9, 8], [7, 1]]) == [(0, 1), (1, 0)]
    # Three rows for two columns: the middle one stays alone.
    assert best_assignment([[5, 0], [1, 1], [0, 5]]) == [(0, 0), (2, 1)]


@pytest.mark.parametrize("empty", [[], [[]], [[], []]])
def test_nothing_to_assign(empty: list[list[float]]) -> None:
    assert best_assignment(empty) == []


def test_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="finite"):
        best_assignment([[1.0, math.nan]])


@given(
    st.integers(1, 7).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(-9, 9), min_size=columns, max_size=columns), min_size=1, max_size=7
        )
    )
)
def test_the_greatest_total(weights: list[list[int]]) -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    made = best_assignment(weights)
    rows, columns = optimize.linear_sum_assignment(np.array(weights), maximize=True)
    assert len(made) == len(rows)
    assert len({row for row, _ in made}) == len({column for _, column in made}) == len(made)
    best = int(np.array(weights)[rows, columns].sum())
    assert sum(weights[row][column] for row, column in made) == best
