"""The distribution of scores: bins have their lower bounds."""

import pytest

from readmark.series.worst.judged_rewrites import BINS, distribution
from readmark.statistics.grid import to_grid


@pytest.mark.parametrize(
    ("score", "bin"), [(0.0, 0), (0.04, 0), (0.05, 1), (0.15, 3), (0.999, 19), (1.0, 19)]
)
def test_a_score_lies_in_one_bin(score: float, bin: int) -> None:
    assert [index for index in range(BINS) if distribution([score])[index]] == [bin]


@pytest.mark.parametrize("bin", range(BINS))
def test_a_bound_that_was_rounded_to_the_grid_lies_in_the_bin_it_begins(bin: int) -> None:
    assert distribution([to_grid(bin / BINS)])[bin] == 1
