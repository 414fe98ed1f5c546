"""Sentences paired by lengths: what is plain by eye, and that nothing is left out."""

from hypothesis import given
from hypothesis import strategies as st

from readmark.making.crosscheck.sentence_alignment import beads

lengths = st.lists(st.integers(0, 90), max_size=8)


def test_as_many_are_paired_by_order() -> None:
    assert beads([10, 200], [90, 5]) == [(range(1), range(1)), (range(1, 2), range(1, 2))]


def test_two_that_were_joined() -> None:
    # The second and third English sentences are one in Chinese: 60 + 50 characters for 36.
    groups = beads([90, 60, 50, 120], [30, 36, 40])
    assert groups == [
        (range(1), range(1)),
        (range(1, 3), range(1, 2)),
        (range(3, 4), range(2, 3)),
    ]
    assert [(b, a) for a, b in beads([30, 36, 40], [90, 60, 50, 120])] == groups


def test_one_that_was_left_out() -> None:
    groups = beads([90, 100, 95], [30, 32])
    assert len(groups) == 3 or any(len(side) == 2 for side, _ in groups)
    assert beads([], [3, 4]) == [(range(0), range(2))]


@given(lengths, lengths)
def test_every_sentence_stands_once_and_in_order(first: list[int], second: list[int]) -> None:
    groups = beads(first, second)
    assert [at for mine, _ in groups for at in mine] == list(range(len(first)))
    assert [at for _, theirs in groups for at in theirs] == list(range(len(second)))
