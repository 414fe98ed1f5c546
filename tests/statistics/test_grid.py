"""Statistics on the grid: rounded as promised, and summed exactly in any order."""

import functools
import math
import operator
import random
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.draws import picks
from readmark.statistics.grid import GRID, product, to_grid, totals
from readmark.statistics.resampling import resampled_sums


def plain_sum(numbers: Iterable[float]) -> float:
    """One after another: the built-in sum corrects its rounding from Python 3.12 on."""
    return functools.reduce(operator.add, numbers)


@pytest.mark.parametrize(
    ("x", "multiples"),
    [
        (0.0, 0),
        (1.0, 2**30),
        (0.75, 3 * 2**28),
        (1 / 3, 357913941),  # 2**30 / 3 = 357,913,941.33
        (-2 / 3, -715827883),  # 2**31 / 3 = 715,827,882.67
        (0.5 * 2**-30, 0),  # ties go to the even multiple
        (1.5 * 2**-30, 2),
        (2.5 * 2**-30, 2),
    ],
)
def test_rounds_to_multiples(x: float, multiples: int) -> None:
    assert GRID == 2**-30
    assert to_grid(x) == multiples * 2**-30
    assert to_grid(np.array([x])).tolist() == [multiples * 2**-30]


def test_undefined_stays() -> None:
    assert math.isnan(to_grid(math.nan))
    assert to_grid(-math.inf) == -math.inf
    assert np.isnan(to_grid(np.array([math.nan, 1.0]))).tolist() == [True, False]


@given(st.floats(-4, 4))
def test_one_number_and_an_array_agree(x: float) -> None:
    assert to_grid(x) == to_grid(np.array([x]))[0]
    assert abs(to_grid(x) - x) <= GRID / 2
    assert to_grid(to_grid(x)) == to_grid(x)


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=50), st.randoms(use_true_random=False))
def test_sums_are_exact_in_any_order(numbers: list[float], shuffler: random.Random) -> None:
    gridded = [to_grid(x) for x in numbers]
    exact = sum(Fraction(x) for x in gridded)
    assert Fraction(plain_sum(gridded)) == exact
    shuffler.shuffle(gridded)
    assert Fraction(plain_sum(gridded)) == exact


def test_sums_off_the_grid_are_not_exact() -> None:
    tenths = [0.1, 0.2, 0.3]
    assert plain_sum(tenths) != plain_sum(reversed(tenths))
    gridded = [to_grid(x) for x in tenths]
    assert plain_sum(gridded) == plain_sum(reversed(gridded))


def test_sums_are_exact_up_to_the_stated_bound() -> None:
    bound = 2.0**53 * GRID
    assert bound == 8_388_608
    assert Fraction(bound - GRID) + Fraction(GRID) == Fraction((bound - GRID) + GRID)
    assert Fraction(bound) + Fraction(GRID) != Fraction(bound + GRID)


def test_what_is_beyond_the_grid_stays() -> None:
    assert to_grid(1e300) == 1e300
    assert to_grid(np.array([-1e300, 1 / 3])).tolist() == [-1e300, to_grid(1 / 3)]


@given(st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_products_are_exact_in_two_parts(a: float, b: float) -> None:
    a, b = to_grid(a), to_grid(b)
    near, rest = product(a, b)
    assert Fraction(near) + Fraction(rest) * Fraction(GRID) == Fraction(a) * Fraction(b)
    assert (near, rest) == (to_grid(near), to_grid(rest))
    arrays = product(np.array([a]), np.array([b]))
    assert [float(one[0]) for one in arrays] == [near, rest]


@pytest.mark.parametrize("clusters", [3, 40])
def test_sums_of_more_units_than_doubles_add_exactly(clusters: int) -> None:
    """Clusters of millions of units each: totals and draws are those of fractions, rounded once."""
    words = np.random.PCG64(3).random_raw(clusters * 2).astype(np.float64).reshape(clusters, 2)
    sums = 3e6 + np.round(words / 2.0**64 * 2.0**30) * GRID
    exact = [[Fraction(cell) for cell in row] for row in sums.tolist()]
    expected = [float(sum(column)) for column in zip(*exact, strict=True)]
    assert totals(sums).tolist() == expected
    assert totals(sums[::-1]).tolist() == expected
    drawn = resampled_sums(sums, seed=1, draws=20)
    chosen = np.concatenate(list(picks(1, 20, clusters)))
    for row, value in zip(chosen.tolist(), drawn.tolist(), strict=True):
        assert value == [float(sum(exact[index][column] for index in row)) for column in range(2)]
