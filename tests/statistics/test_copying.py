"""The share of a text that stands in runs common with another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.statistics.copying import copied, copied_share

LETTERS = st.text("abc", max_size=12)


@pytest.mark.parametrize(
    ("pieces", "source", "run", "share"),
    [
        (["abcd"], "xxabcdyy", 4, 1.0),
        (["abcde"], "xxabcdyy", 4, 0.8),  # abcd of five
        (["abcd", "efgh"], "efghabcd", 4, 1.0),  # the order of the pieces is free
        (["abcdefgh"], "abcdxefgh", 4, 1.0),
        (["abcdefgh"], "abcxdefgh", 4, 5 / 8),  # defgh; abc is too short a run
        (["ab"], "xaby", 4, 1.0),  # shorter than a run: whole or not at all
        (["ab"], "axb", 4, 0.0),
        ([""], "abc", 4, 0.0),
        ([], "abc", 4, 0.0),
        ([["the", "old", "mill"]], ["by", "the", "old", "mill"], 3, 1.0),
        ([["the", "new", "mill"]], ["by", "the", "old", "mill"], 3, 0.0),
    ],
)
def test_by_hand(pieces: list[str], source: str, run: int, share: float) -> None:
    assert copied_share(pieces, source, run=run) == pytest.approx(share)


@given(LETTERS, LETTERS, st.integers(1, 5))
def test_bounds(piece: str, source: str, run: int) -> None:
    found = copied(piece, source, run=run)
    assert 0 <= found <= len(piece)
    assert copied(piece, source + piece, run=run) == len(piece)


@given(LETTERS, LETTERS)
def test_longer_runs_copy_no_more(piece: str, source: str) -> None:
    if len(piece) >= 4:
        assert copied(piece, source, run=4) <= copied(piece, source, run=2)
