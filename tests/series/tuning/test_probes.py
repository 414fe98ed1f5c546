"""The requirements of the question series document on weights."""

import pytest

from readmark.series.tuning.probes import Tried


@pytest.mark.parametrize(
    ("tried", "meets"),
    [
        (Tried(0.6, 0.7, 1.0, 0.15, 0.2), True),
        (Tried(0.7, 0.6, 1.0, 0.15, 0.2), False),
        (Tried(0.6, 0.7, 0.98, 0.15, 0.2), False),
        (Tried(0.6, 0.7, 1.0, 0.05, 0.2), False),
        (Tried(0.6, 0.7, 1.0, 0.25, 0.2), False),
    ],
)
def test_the_requirements(tried: Tried, meets: bool) -> None:
    assert tried.meets(0.1) is meets
