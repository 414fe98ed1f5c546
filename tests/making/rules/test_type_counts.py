"""Entropy, evenness and the largest share, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.making.rules.type_counts import entropy, evenness, largest_share


@pytest.mark.parametrize(
    ("counts", "bits"),
    [([], 0.0), ([7], 0.0), ([1, 1], 1.0), ([2, 1, 1], 1.5), ([1] * 8, 3.0), ([3, 0, 3], 1.0)],
)
def test_entropy(counts: list[int], bits: float) -> None:
    assert entropy(counts) == pytest.approx(bits)


def test_shares_of_nothing_are_undefined() -> None:
    assert evenness([0, 0], 12) is None
    assert evenness([3], 1) is None
    assert largest_share([]) is None
    assert largest_share([1, 3]) == 0.75
    assert evenness([5, 5, 5, 5], 4) == pytest.approx(1.0)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=12))
def test_evenness_is_a_share(counts: list[int]) -> None:
    share = evenness(counts, len(counts))
    assert (share is None) == (sum(counts) == 0)
    if share is not None:
        assert -1e-9 <= share <= 1 + 1e-9
