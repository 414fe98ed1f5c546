"""The scale of ratings: soft and hard ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.scale import clipped, squashed
from training.rater import unsquashed


@given(st.floats(-20, 20), st.floats(0.01, 5))
def test_the_scale_is_monotone_and_bounded(raw: float, more: float) -> None:
    assert 1 <= squashed(raw) <= squashed(raw + more) <= 5
    assert 1 <= clipped(raw) <= 5


@pytest.mark.parametrize("rating", [1.2, 3.0, 4.7])
def test_squashing_is_undone(rating: float) -> None:
    assert squashed(unsquashed(rating)) == pytest.approx(rating)
