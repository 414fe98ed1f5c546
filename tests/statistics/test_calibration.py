"""Reliability and risk against coverage, worked by hand and by a slow oracle."""

from itertools import permutations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.calibration import (
    calibration_error,
    calibration_gaps,
    reliability,
    risk_coverage,
)


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_bins_are_a_tenth_wide_and_closed_on_the_right() -> None:
    bins = reliability(floats(0.0, 0.05, 0.1, 0.95, 1.0), floats(0, 1, 1, 0, 1))
    assert [(one.low, one.high, len(one.members)) for one in bins] == [
        (0.0, 0.1, 3),
        (0.9, 1.0, 2),
    ]
    assert [one.score for one in bins] == pytest.approx([0.05, 0.975])
    assert [one.mark for one in bins] == pytest.approx([2 / 3, 0.5])


def test_a_score_on_an_edge_is_in_the_bin_below() -> None:
    edges = [index / 10 for index in range(1, 11)]
    bins = reliability(floats(*edges), floats(*[1] * 10))
    assert [(one.high, len(one.members)) for one in bins] == [(edge, 1) for edge in edges]


def error_of(scores: np.ndarray, marks: np.ndarray) -> float:
    return float(calibration_error(calibration_gaps(scores, marks).sum(axis=0)))


def test_calibration_error_weighs_bins_by_their_units() -> None:
    # three at 0.9 of which two right, one at 0.2 and wrong: (3 · |0.9 − 2/3| + 1 · 0.2) / 4
    error = error_of(floats(0.9, 0.9, 0.9, 0.2), floats(1, 1, 0, 0))
    assert error == pytest.approx((3 * (0.9 - 2 / 3) + 0.2) / 4)


def test_who_is_as_sure_as_good_has_no_error() -> None:
    assert error_of(floats(1.0, 1.0, 0.0), floats(1, 1, 0)) == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.25, 1.0])), min_size=1))
def test_calibration_error_is_the_distance_of_the_bins(rows: list[tuple[float, float]]) -> None:
    scores, marks = floats(*(row[0] for row in rows)), floats(*(row[1] for row in rows))
    bins = reliability(scores, marks)
    slow = sum(len(one.members) * abs(one.score - one.mark) for one in bins) / len(rows)
    assert error_of(scores, marks) == pytest.approx(slow, abs=1e-8)


def test_risk_and_coverage_by_hand() -> None:
    # the surest two lose 0 and 1, the next 0: 0/1, 1/2, 1/3 of four units
    found = risk_coverage(floats(0.9, 0.8, 0.1), floats(0, 1, 0), units=4)
    assert found.coverage.tolist() == [0.25, 0.5, 0.75]
    assert found.risk.tolist() == pytest.approx([0, 1 / 2, 1 / 3])
    assert found.area == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)


def test_ties_move_together() -> None:
    found = risk_coverage(floats(2.0, 5.0, 2.0), floats(1, 0, 0), units=3)
    assert found.coverage.tolist() == pytest.approx([1 / 3, 1])
    assert found.risk.tolist() == pytest.approx([0, 1 / 3])


def area_by_every_order(scores: list[float], losses: list[float]) -> float:
    """The mean risk over every order that the scores allow."""
    found = []
    for order in permutations(range(len(scores))):
        said = [scores[at] for at in order]
        if said == sorted(said, reverse=True):
            risks = [mean(losses[at] for at in order[:k]) for k in range(1, len(order) + 1)]
            found.append(mean(risks))
    return mean(found)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.sampled_from([0.0, 0.25, 1.0])),
        min_size=1,
        max_size=5,
    )
)
def test_area_is_the_mean_over_the_orders_of_ties(rows: list[tuple[float, float]]) -> None:
    scores, losses = [one[0] for one in rows], [one[1] for one in rows]
    found = risk_coverage(floats(*scores), floats(*losses), units=len(rows))
    assert found.area == pytest.approx(area_by_every_order(scores, losses))
    assert found.risk[-1] == pytest.approx(mean(losses))
    assert found.coverage[-1] == 1
