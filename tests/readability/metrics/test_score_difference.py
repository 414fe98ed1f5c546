"""score_difference: worked examples, passages without novices, and two raters compared."""

import math
from typing import Any

import numpy as np
import pytest

import readmark
from rated_tests import FEW, rated_test, statistics, value
from readmark.readability.metrics.score_difference import ScoreDifference


# Experts 3, 4, 5, so the gold is 4; novices 2, 5, 4 are 2, 1 and 0 away.
@pytest.mark.parametrize(
    ("rating", "difference"), [(4, 1.0), (3.0, 0.0), (5, 0.0), (2.5, -0.5), (None, -2.0)]
)
def test_one_passage(rating: float | None, difference: float) -> None:
    assert value(ScoreDifference(), (3, 4, 5), rating, (2, 5, 4)) == pytest.approx(difference)


def test_it_is_the_mean_over_passages_and_undefined_without_novices() -> None:
    metric = ScoreDifference()
    nearer = np.array(statistics(metric, (3, 4, 5), 4, (2, 5, 4)))
    as_near = np.array(statistics(metric, (1, 2), 2, (2,)))  # gold 1.5: both 0.5 away
    without_novices = np.array(statistics(metric, (2, 2), 5))
    assert float(metric.aggregate(nearer + as_near)) == pytest.approx(0.5)
    assert float(metric.aggregate(nearer + as_near + without_novices)) == pytest.approx(0.5)
    assert math.isnan(float(metric.aggregate(without_novices)))


def test_raters_are_compared_by_their_distances_without_novices() -> None:
    test = rated_test((3, 5), (1, 1), (2, 4), (5, 5))  # gold 4, 1, 3, 5
    a, b = {"p0": 4, "p1": 3, "p2": 3, "p3": 1}, {"p0": 4, "p1": 1, "p2": 4, "p3": 5}
    comparisons = readmark.compare(test, a, b, metrics="score_difference", settings=FEW)
    [comparison] = comparisons
    assert comparison.difference == pytest.approx((0 + 2 + 0 + 4) / 4 - (0 + 0 + 1 + 0) / 4)
    assert (comparison.score_a, comparison.score_b) == (None, None)
    assert comparison.p is not None
    assert comparison.low is not None
    assert "difference:distance from the gold" in comparison.signature
    assert not any("--people" in note for note in comparisons.notes)
    assert any("novices would be the same on both sides" in note for note in comparisons.notes)
    # The difference is the same with novices, who give both sides a mark.
    people: list[Any] = [{"p0": 2, "p1": 1, "p2": 3, "p3": 3}]
    mark_a, mark_b = (
        readmark.mark(test, ratings, people=people, settings=FEW)["score_difference"].score
        for ratings in (a, b)
    )
    assert comparison.difference == pytest.approx((mark_b or 0) - (mark_a or 0))
