"""Excerpts of documents set against each other: how much they share, how many pieces they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from readmark.corpus.documents import Excerpt

Pieces = Mapping[str, list[tuple[int, int]]]
"""Stretches by document that neither overlap nor touch."""


def pieces(excerpts: Iterable[Excerpt]) -> Pieces:
    """The excerpts with those that overlap or touch made one."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in sorted(excerpts):
        own = found[one.document]
        if own and one.start <= own[-1][1]:
            own[-1] = own[-1][0], max(own[-1][1], one.end)
        else:
            own.append((one.start, one.end))
    return found


def disjoint(excerpts: Iterable[Excerpt]) -> int:
    """How many separate pieces of text there are."""
    return sum(map(len, pieces(excerpts).values()))


def overlap(a: Iterable[Excerpt], b: Iterable[Excerpt]) -> float:
    """Dice's coefficient of the code points that two sets of excerpts cover."""
    ours, theirs = pieces(a), pieces(b)
    size = sum(
        end - start for both in (ours, theirs) for own in both.values() for start, end in own
    )
    shared = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for document, own in ours.items()
        for start, end in own
        for other_start, other_end in theirs.get(document, ())
    )
    return 2 * shared / size if size else 0.0
