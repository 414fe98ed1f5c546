"""Rankings with ties: numbers worked by hand, and the mean over every order of the ties."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.ranking import ndcg, recall, reciprocal_rank


def arrays(scores: str, grades: str) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([float(one) for one in scores.split()]),
        np.array([float(one) for one in grades.split()]),
    )


@pytest.mark.parametrize(
    ("scores", "grades", "rank", "first", "five"),
    [
        ("3 2 1", "1 0 0", 1.0, 1.0, 1.0),
        ("3 2 1", "0 0 1", 1 / 3, 0.0, 1.0),
        ("3 2 1", "0 1 1", 1 / 2, 0.0, 1.0),
        ("0 0 0", "1 0 0", 0.0, 0.0, 0.0),  # nothing was found
        ("2 1 0", "0 0 1", 0.0, 0.0, 0.0),
        ("1 1", "1 0", (1 + 1 / 2) / 2, 0.5, 1.0),
        ("1 1 1", "1 1 0", (1 + 1 + 1 / 2) / 3, 1 / 3, 1.0),
        ("9 1 1", "0 1 0", (1 / 2 + 1 / 3) / 2, 0.0, 1.0),
        ("1 1 1 1 1 1", "0 0 1 0 0 0", 2.45 / 6, 1 / 6, 5 / 6),
    ],
)  # fmt: skip
def test_by_hand(scores: str, grades: str, rank: float, first: float, five: float) -> None:
    given = arrays(scores, grades)
    assert reciprocal_rank(*given) == pytest.approx(rank)
    assert recall(*given, 1) == pytest.approx(first)
    assert recall(*given, 5) == pytest.approx(five)


@pytest.mark.parametrize(
    ("scores", "grades", "value"),
    [
        ("3 2 1", "2 1 0", 1.0),
        ("1 2 3", "2 1 0", (1 / math.log2(3) + 2 / 2) / (2 + 1 / math.log2(3))),
        ("1 1", "2 0", 1 * (1 + 1 / math.log2(3)) / 2),
        ("0 0", "2 0", 0.0),
    ],
)
def test_graded_by_hand(scores: str, grades: str, value: float) -> None:
    assert ndcg(*arrays(scores, grades), 10) == pytest.approx(value)


def test_nothing_relevant_has_no_recall() -> None:
    given = arrays("2 1", "0 0")
    assert math.isnan(recall(*given, 5))
    assert math.isnan(ndcg(*given, 5))
    assert reciprocal_rank(*given) == 0


def plain_rank(order: list[float]) -> float:
    return next((1 / place for place, grade in enumerate(order, 1) if grade > 0), 0.0)


def plain_gain(order: list[float], depth: int) -> float:
    return sum(grade / math.log2(place + 1) for place, grade in enumerate(order[:depth], 1))


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5),
    st.integers(1, 4),
)
def test_the_mean_over_all_orders(given: list[tuple[int, int]], depth: int) -> None:
    scores = np.array([float(score) for score, _ in given])
    grades = np.array([float(grade) for _, grade in given])
    orders = []
    for places in itertools.permutations(range(len(given))):
        ranked = [scores[at] for at in places]
        if ranked == sorted(ranked, reverse=True):
            orders.append([grades[at] for at in places if scores[at] > 0])

    def mean(value: Callable[[list[float]], float]) -> float:
        return sum(map(value, orders)) / len(orders)

    assert reciprocal_rank(scores, grades) == pytest.approx(mean(plain_rank))
    relevant = np.count_nonzero(grades)
    if relevant:
        share = mean(lambda one: sum(grade > 0 for grade in one[:depth]) / relevant)
        assert recall(scores, grades, depth) == pytest.approx(share)
        best = plain_gain(sorted(grades.tolist(), reverse=True), depth)
        gained = mean(lambda one: plain_gain(one, depth) / best)
        assert ndcg(scores, grades, depth) == pytest.approx(gained)
