"""The derivations on the page: which come first, how many, and the words around excerpts."""

from __future__ import annotations

import pytest

from readmark.core.spans import Excerpt
from readmark.tasks.derivations_section import (
    AROUND,
    marked_text,
    merged_spans,
    passage_with_excerpts,
)

TEXT = "".join(f"{number:04d} " for number in range(400))


def excerpt(start: int, end: int, document: str = "d") -> Excerpt:
    return Excerpt(document, start, end, TEXT[start:end])


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(3, 5), (1, 2)], [(1, 2), (3, 5)]),
        ([(1, 3), (3, 5)], [(1, 5)]),
        ([(1, 9), (2, 3), (8, 12)], [(1, 12)]),
    ],
)
def testmerged_spans(spans: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    assert merged_spans(spans) == expected


def test_only_the_words_around_excerpts_are_shown() -> None:
    gap = '<span class="gap">…</span>'
    made = marked_text([excerpt(500, 504), excerpt(1500, 1504), excerpt(1495, 1502)], TEXT)
    assert made == (
        f"{gap}{TEXT[500 - AROUND : 500]}<mark>0100</mark>{TEXT[504 : 504 + AROUND]}"
        f"{gap}{TEXT[1495 - AROUND : 1495]}<mark>{TEXT[1495:1504]}</mark>"
        f"{TEXT[1504 : 1504 + AROUND]}{gap}"
    )
    assert marked_text([excerpt(0, 4)], TEXT[:20]) == f"<mark>0000</mark>{TEXT[4:20]}"


def test_excerpts_of_others_and_wrong_ones_are_quoted() -> None:
    there = passage_with_excerpts([excerpt(0, 4, "other")], "d", TEXT)
    assert "<mark>" not in there
    assert "other: “<bdi>0000</bdi>”" in there
    wrong = passage_with_excerpts([Excerpt("d", 0, 4, "<x>")], "d", TEXT)
    assert "&lt;x&gt;" in wrong
    assert "<mark>" not in wrong
    assert "No words of the text are recorded" in passage_with_excerpts([], "d", TEXT)
