from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.overlap import bag_overlap, f1

bags = st.lists(st.sampled_from(["a", "b", "ab", "中", ""]), max_size=12)


@pytest.mark.parametrize(
    ("shared", "answered", "wanted", "expected"),
    [(0, 0, 0, 0.0), (0, 3, 2, 0.0), (2, 4, 2, 2 / 3), (3, 5, 3, 0.75), (1, 1, 1, 1.0)],
)
def test_f1(shared: int, answered: int, wanted: int, expected: float) -> None:
    assert f1(shared, answered, wanted) == expected


@given(st.integers(1, 99), st.integers(0, 99), st.integers(0, 99))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(shared: int, more: int, most: int) -> None:
    precision, recall = shared / (shared + more), shared / (shared + most)
    expected = 2 * precision * recall / (precision + recall)
    assert f1(shared, shared + more, shared + most) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "", 0),
        ("aab", "abb", 2),
        (["new", "york"], ["new", "york", "new", "york"], 2),
        (("ab",), "ab", 0),  # one token of two characters is not two tokens
    ],
)
def test_bag_overlap(a: str, b: str, expected: int) -> None:
    assert bag_overlap(a, b) == expected


@given(bags, bags)
def test_bag_overlap_is_the_size_of_the_multiset_intersection(a: list[str], b: list[str]) -> None:
    assert bag_overlap(a, b) == (Counter(a) & Counter(b)).total() == bag_overlap(b, a)
