"""The distribution of scores: bins have their lower bounds."""

import pytest

from readmark.series.worst.judged_rewrites import BINS, distribution


@pytest.mark.parametrize(
    ("score", "bin"), [(0.0, 0), (0.04, 0), (0.05, 1), (0.15, 3), (0.999, 19), (1.0, 19)]
)
def test_a_score_lies_in_one_bin(score: float, bin: int) -> None:
    assert [at for at in range(BINS) if distribution([score])[at]] == [bin]
