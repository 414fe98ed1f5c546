"""Holm's adjustment against tables worked by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.adjustment import holm

NAN = math.nan


@pytest.mark.parametrize(
    ("given_p", "expected"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 × .01, 2 × .03, then 1 × .04 raised to .06
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([NAN, 0.01, NAN, 0.04], [NAN, 0.02, NAN, 0.04]),
        ([NAN], [NAN]),
    ],
)
def test_by_hand(given_p: list[float], expected: list[float]) -> None:
    assert holm(given_p) == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_monotone_capped_and_never_smaller(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, after in zip(p_values, adjusted, strict=True):
        assert p <= after <= 1
    by_p = [after for _, after in sorted(zip(p_values, adjusted, strict=True))]
    assert by_p == sorted(by_p)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.999))
def test_rejects_as_the_stepwise_procedure_does(p_values: list[float], alpha: float) -> None:
    """Holm's own words: go up from the smallest p, stop at the first above alpha / (m - i)."""
    adjusted = holm(p_values)
    rejected = set()
    for step, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        if (len(p_values) - step) * p_values[at] > alpha:
            break
        rejected.add(at)
    assert {at for at, p in enumerate(adjusted) if p <= alpha} == rejected
