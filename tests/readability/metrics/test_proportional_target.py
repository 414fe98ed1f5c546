"""proportional_target: hits of the experts' range, with and without rounding."""

import numpy as np
import pytest

import readmark
from rated_tests import rated_test, statistics, value
from readmark.marking.metrics import METRICS
from readmark.readability.metrics.proportional_target import ProportionalTarget


@pytest.mark.parametrize(
    ("experts", "rating", "plain", "rounded"),
    [
        ((3, 4, 5), 4, 1 / 3, 1 / 3),
        ((3, 4, 5), 3.0, 1 / 3, 1 / 3),
        ((3, 4, 5), 2.9, 0, 1 / 3),
        ((3, 4, 5), 5.0, 1 / 3, 1 / 3),
        ((3, 4, 5), 5.1, 0, 1 / 3),
        ((4, 4, 4), 3.9, 0, 1),
        ((4, 4, 4), 4, 1, 1),
        ((4, 4), 3.5, 0, 1),  # halves are rounded up
        ((2, 2), 2.5, 0, 0),
        ((1, 5), 1.7, 1 / 5, 1 / 5),
        ((1.5, 2.25), 2, 1 / 1.75, 1 / 1.75),
        ((3,), None, 0, 0),
    ],
)
def test_one_passage(
    experts: tuple[float, ...], rating: float | None, plain: float, rounded: float
) -> None:
    assert value(ProportionalTarget(round=False), experts, rating) == pytest.approx(plain)
    assert value(ProportionalTarget(round=True), experts, rating) == pytest.approx(rounded)


@pytest.mark.parametrize(
    ("experts", "score", "rounding"),
    [  # the ratings 3.9 and 2.6 are 4 and 3 in stars
        (((4, 4), (3, 5)), 1 + 1 / 3, "half up"),
        (((4, 4), (2.5, 3)), 1 / 1.5, "no"),  # one expert rates in fractions
    ],
)
def test_ratings_are_rounded_if_all_experts_rated_in_whole_stars(
    experts: tuple[tuple[float, ...], ...], score: float, rounding: str
) -> None:
    test, ratings = rated_test(*experts), {"p0": 3.9, "p1": 2.6}
    mark = readmark.mark(test, ratings, metrics=["proportional_target"])["proportional_target"]
    assert mark.score == pytest.approx(score)
    assert f"|round:{rounding}|" in mark.signature
    name = "proportional_target(round=false)"
    assert "|round:no|" in readmark.mark(test, ratings, metrics=[name])[name].signature


def test_it_is_a_sum_and_reports_targets_without_width() -> None:
    metric = ProportionalTarget(round=False)
    rows = np.array([statistics(metric, (3, 4, 5), 4), statistics(metric, (4, 4), 3.9)])
    assert float(metric.aggregate(rows.sum(axis=0))) == pytest.approx(1 / 3)
    assert metric.report(rows).remarks == [
        "1 of 2 targets (50%) have no width: only that very rating hits"
    ]
    assert list(metric.report(rows[:1]).remarks) == []
    assert metric.signature()["round"] == "no"
    assert METRICS.build("proportional_target(round=true)")[1].signature()["round"] == "half up"
