"""Windows that are shown one by one are those that were packed."""

from __future__ import annotations

import numpy as np
import pytest

from readmark.comprehension.span.lessons import PackedWindows, sample_windows


def packed(sizes: list[int], splits: list[int]) -> PackedWindows:
    def ints(values: list[int]) -> np.ndarray:
        return np.array(values, np.int32)

    zeros = ints([0] * len(sizes))
    weights = np.ones(len(sizes), np.float32)
    ids = np.arange(sum(sizes), dtype=np.int32)
    return PackedWindows(ids, ints(sizes), ints(splits), zeros, zeros, zeros, zeros, weights)


def test_a_window_has_its_own_tokens_and_types() -> None:
    found = [
        [part.tolist() for part in one] for one in sample_windows(packed([3, 2, 4], [1, 1, 3]), 9)
    ]
    assert found == [
        [[[0, 1, 2]], [[0, 1, 1]], [[1, 1, 1]]],
        [[[3, 4]], [[0, 1]], [[1, 1]]],
        [[[5, 6, 7, 8]], [[0, 0, 0, 1]], [[1, 1, 1, 1]]],
    ]


@pytest.mark.parametrize(("many", "firsts"), [(1, [0]), (2, [0, 4]), (3, [0, 2, 4]), (5, range(5))])
def test_windows_are_from_all_over_the_lessons(many: int, firsts: list[int]) -> None:
    lessons = packed([1] * 5, [1] * 5)
    assert [int(ids[0, 0]) for ids, _, _ in sample_windows(lessons, many)] == list(firsts)
