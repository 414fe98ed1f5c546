"""Excerpts set against each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.spans import Excerpt
from readmark.tasks.excerpt_overlap import count_pieces, overlap


def at(*places: tuple[int, int], document: str = "d") -> list[Excerpt]:
    return [Excerpt(document, start, end, "x" * (end - start)) for start, end in places]


@pytest.mark.parametrize(
    ("excerpts", "number"),
    [
        ([], 0),
        (at((0, 4)), 1),
        (at((0, 4), (2, 9)), 1),
        (at((4, 9), (0, 4)), 1),
        (at((0, 4), (5, 9)), 2),
        (at((0, 9), (2, 3), (10, 12)), 2),
        ([*at((0, 4)), *at((0, 4), document="e")], 2),
    ],
)
def test_pieces(excerpts: list[Excerpt], number: int) -> None:
    assert count_pieces(excerpts) == number


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        ([], [], 0.0),
        (at((0, 4)), [], 0.0),
        (at((0, 4)), at((0, 4)), 1.0),
        (at((0, 4)), at((4, 8)), 0.0),
        (at((0, 4)), at((2, 6)), 0.5),
        (at((0, 4)), at((0, 4), document="e"), 0.0),
        (at((0, 10)), at((0, 2), (4, 8)), 12 / 16),
        (at((0, 4), (0, 4)), at((0, 4)), 1.0),
    ],
)
def test_overlap(a: list[Excerpt], b: list[Excerpt], share: float) -> None:
    assert overlap(a, b) == pytest.approx(share)
    assert overlap(b, a) == pytest.approx(share)


places = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda one: (one[0], sum(one))), max_size=4
)


@given(places, places)
def test_overlap_counts_code_points(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    ours, theirs = ({n for start, end in one for n in range(start, end)} for one in (a, b))
    whole = len(ours) + len(theirs)
    expected = 2 * len(ours & theirs) / whole if whole else 0.0
    assert overlap(at(*a), at(*b)) == pytest.approx(expected)
