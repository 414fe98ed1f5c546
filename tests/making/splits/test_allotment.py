"""Groups allotted to parts: worked examples, and what holds for any groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.making.splits.allotment import allotted, chi_square

groups = st.lists(
    st.tuples(st.integers(1, 12), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40
)
shares = st.lists(st.integers(1, 8), min_size=2, max_size=4)


def totals(counts: list[tuple[int, ...]], parts: list[int], number: int) -> list[list[int]]:
    """What each part got, column by column."""
    sums = [[0] * len(counts[0]) for _ in range(number)]
    for row, part in zip(counts, parts, strict=True):
        sums[part] = [a + b for a, b in zip(sums[part], row, strict=True)]
    return sums


def test_chi_square_by_hand() -> None:
    # Sizes: (6-8)²/8 + (4-2)²/2 = 2.5, tenfold. A stratum: (2-1)²/1 + (0-1)²/1 = 2.
    # A stratum of which nothing is wanted has no say.
    counts, expected = [[6.0, 2.0, 0.0], [4.0, 0.0, 0.0]], [[8.0, 1.0, 0.0], [2.0, 1.0, 0.0]]
    assert chi_square(np.array(counts), np.array(expected)) == 27.0


@pytest.mark.parametrize(
    ("counts", "sizes", "expected"),
    [
        # Ten groups of one: eight, one and one.
        ([(1,)] * 10, (80, 10, 10), [[8], [1], [1]]),
        # 6 + 2 and 4 + 4 are both half of 16, and no other way is.
        ([(6,), (4,), (4,), (2,)], (1, 1), [[8], [8]]),
        # Two groups of each level: one of each in either half.
        ([(3, 3, 0), (3, 3, 0), (3, 0, 3), (3, 0, 3)], (1, 1), [[6, 3, 3], [6, 3, 3]]),
        # One group a part, although squares alone would leave the small parts empty.
        ([(10,), (10,), (10,)], (80, 10, 10), [[10], [10], [10]]),
        # Fewer groups than parts: somebody must go without.
        ([(5,)], (1, 1), [[5], [0]]),
        # A stratum that nobody has changes nothing.
        ([(2, 0), (2, 0)], (1, 1), [[2, 0], [2, 0]]),
    ],
)
def test_worked_by_hand(
    counts: list[tuple[int, ...]], sizes: tuple[int, ...], expected: list[list[int]]
) -> None:
    for order in (list(range(len(counts))), list(range(len(counts)))[::-1]):
        parts = allotted(counts, sizes, order)
        assert sorted(totals(counts, parts, len(sizes))) == sorted(expected)
    if len(set(sizes)) > 1:
        assert totals(counts, parts, len(sizes)) == expected


def test_no_groups() -> None:
    assert allotted([], [1, 1], []) == []


@given(groups, shares, st.randoms(use_true_random=False))
def test_no_part_is_over_by_more_than_the_largest_group(
    counts: list[tuple[int, ...]], sizes: list[int], chance: object
) -> None:
    order = list(range(len(counts)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    parts = allotted(counts, sizes, order)
    assert len(parts) == len(counts)
    assert set(parts) <= set(range(len(sizes)))
    if len(counts) >= len(sizes):
        assert set(parts) == set(range(len(sizes)))
    largest = max(size for size, *_ in counts)
    whole = sum(size for size, *_ in counts)
    sums = totals(counts, parts, len(sizes))
    for part, share in enumerate(sizes):
        over = sums[part][0] - whole * share / sum(sizes)
        assert over <= largest + 1e-6
        assert over >= -largest * (len(sizes) - 1) - 1e-6
    assert allotted(counts, sizes, order) == parts


def test_strata_come_out_even() -> None:
    """400 groups with every tenth question of a rare sort, all of it in every tenth group."""
    counts = [(10, 10, 0) if at % 10 == 0 else (10, 0, 10) for at in range(400)]
    parts = allotted(counts, (80, 10, 10), list(range(400)))
    assert totals(counts, parts, 3) == [[3200, 320, 2880], [400, 40, 360], [400, 40, 360]]
