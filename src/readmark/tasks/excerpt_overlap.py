"""Excerpts of documents set against each other: how much they share, how many pieces they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from readmark.core.spans import Excerpt

Pieces = Mapping[str, list[tuple[int, int]]]
"""Stretches by document that neither overlap nor touch."""


def pieces(excerpts: Iterable[Excerpt]) -> Pieces:
    """The excerpts with those that overlap or touch made one."""
    by_document: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for excerpt in sorted(excerpts):
        stretches = by_document[excerpt.document]
        if stretches and excerpt.start <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(stretches[-1][1], excerpt.end)
        else:
            stretches.append((excerpt.start, excerpt.end))
    return by_document


def count_pieces(excerpts: Iterable[Excerpt]) -> int:
    """How many separate pieces of text there are."""
    return sum(map(len, pieces(excerpts).values()))


def overlap(a: Iterable[Excerpt], b: Iterable[Excerpt]) -> float:
    """Dice's coefficient of the code points that two sets of excerpts cover."""
    ours, theirs = pieces(a), pieces(b)
    size = sum(
        end - start
        for covered in (ours, theirs)
        for stretches in covered.values()
        for start, end in stretches
    )
    shared = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for document, stretches in ours.items()
        for start, end in stretches
        for other_start, other_end in theirs.get(document, ())
    )
    return 2 * shared / size if size else 0.0
