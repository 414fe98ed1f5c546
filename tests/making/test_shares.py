"""Percentages that add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.making.corpus import percentages


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # Of 534: 48.127 %, 36.142, 8.239, 2.621, 1.872 and 2.996. Rounded down they make 99.7, so
        # three tenths go to the remainders .96, .72 and .42.
        ([257, 193, 44, 14, 10, 16], [48.1, 36.2, 8.2, 2.6, 1.9, 3.0]),
        ([1, 1, 1], [33.4, 33.3, 33.3]),
        ([2, 0, 0], [100.0, 0.0, 0.0]),
        ([1, 2], [33.3, 66.7]),
        ([0, 0], [0.0, 0.0]),
    ],
)
def test_by_hand(counts: list[int], expected: list[float]) -> None:
    named = {str(at): count for at, count in enumerate(counts)}
    assert list(percentages(named).values()) == expected


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=8), st.integers(0, 3))
def test_they_add_up_and_stay_near(counts: list[int], places: int) -> None:
    named = {str(at): count for at, count in enumerate(counts)}
    found = percentages(named, places=places)
    total = sum(counts)
    assert round(sum(found.values()), places) == (100 if total else 0)
    for name, share in found.items():
        assert abs(share - 100 * named[name] / max(total, 1)) < 10**-places + 1e-9
