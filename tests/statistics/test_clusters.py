"""Sums by cluster: by hand, exact in any order; and the question-weighted overall mark."""

import numpy as np
import pytest

from readmark.statistics.grid import to_grid
from readmark.statistics.resampling import cluster_sums


def test_sums_by_hand() -> None:
    vectors = np.array([[1.0, 1.0], [0.5, 1.0], [0.25, 1.0], [0.0, 1.0]])
    sums = cluster_sums(vectors, np.array([2, 0, 2, 0]), 4)
    assert sums.tolist() == [[0.5, 2.0], [0.0, 0.0], [1.25, 2.0], [0.0, 0.0]]


def test_no_units() -> None:
    assert cluster_sums(np.empty((0, 2)), np.empty(0, dtype=np.intp), 3).tolist() == [[0, 0]] * 3


def test_order_of_units_does_not_matter() -> None:
    random = np.random.default_rng(7)
    vectors = to_grid(random.normal(size=(5_000, 3)))
    codes = random.integers(0, 40, size=5_000)
    sums = cluster_sums(vectors, codes, 40)
    for _ in range(3):
        order = random.permutation(5_000)
        assert np.array_equal(cluster_sums(vectors[order], codes[order], 40), sums)
    assert np.array_equal(sums.sum(axis=0), vectors.sum(axis=0))


def test_overall_is_question_weighted() -> None:
    """The figures of the SMART document: four levels, 78.0 overall."""
    marks, questions = [82.5, 79.8, 72.6, 64.2], [1987, 506, 1349, 193]
    levels = np.repeat(np.arange(4), questions)
    hits = to_grid(np.repeat(np.array(marks) / 100, questions))
    sums = cluster_sums(np.column_stack([hits, np.ones_like(hits)]), levels, 4)
    assert sums[:, 1].tolist() == questions
    assert (100 * sums[:, 0] / sums[:, 1]).tolist() == pytest.approx(marks, abs=1e-6)
    shared, asked = sums.sum(axis=0)
    assert round(100 * shared / asked, 1) == 78.0
    assert 100 * shared / asked == pytest.approx(314_634.3 / 4_035, abs=1e-6)
