"""F1 of two annotators' spans: equal ones, overlapping ones, characters.

Counts are added up over texts before the F1 is taken. A span is (start, end) or with a label
after them; spans of other labels do not match.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from readmark.measures.agreement.f_measure import Shares, f_measure
from readmark.measures.agreement.sums import Clusters
from readmark.measures.agreement.value import Agreement, Resampling

Span = tuple[int, int] | tuple[int, int, object]
Spans = Sequence[Span]
Pair = tuple[Spans, Spans]
"""The two annotators' spans over one text."""

NOTHING = "neither marked any span"


def exact_f1(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Spans with both ends and the label equal.

    After "Agreement, the F-Measure, and Reliability in Information Retrieval": where what nobody
    marked cannot be counted, kappa comes near to this F1.
    """
    return f_measure(
        "exact",
        [_exact(*one) for one in pairs],
        reason=NOTHING,
        clusters=clusters,
        resampling=resampling,
    )


def overlap_f1(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Spans that share a character with one of the other's.

    The measure "agr" of "Annotating Expressions of Opinions and Emotions in Language", both ways.
    """
    records = [(*_overlapped(a, b), *_overlapped(b, a)) for a, b in pairs]
    return f_measure("overlap", records, reason=NOTHING, clusters=clusters, resampling=resampling)


def character_f1(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Characters that both marked; one that two spans of one annotator cover counts once."""
    return f_measure(
        "characters",
        [_characters(*one) for one in pairs],
        reason=NOTHING,
        clusters=clusters,
        resampling=resampling,
    )


def _exact(a: Spans, b: Spans) -> Shares:
    shared = (Counter(a) & Counter(b)).total()
    return shared, len(a), shared, len(b)


def _characters(a: Spans, b: Spans) -> Shares:
    one, other = _covered(a), _covered(b)
    shared = len(one & other)
    return shared, len(one), shared, len(other)


def _covered(spans: Spans) -> set[tuple[int, object]]:
    return {(at, span[2:]) for span in spans for at in range(span[0], span[1])}


def _overlapped(mine: Spans, theirs: Spans) -> tuple[int, int]:
    """How many of my spans overlap one of theirs with the same label, of how many."""
    by_label: dict[object, list[Span]] = {}
    for one in theirs:
        by_label.setdefault(one[2:], []).append(one)
    furthest: dict[object, list[int]] = {}
    for label, spans in by_label.items():
        spans.sort(key=lambda one: one[0])
        ends: list[int] = []
        for one in spans:
            ends.append(max(one[1], ends[-1] if ends else one[1]))
        furthest[label] = ends
    found = sum(
        _overlaps(one, by_label.get(one[2:], []), furthest.get(one[2:], [])) for one in mine
    )
    return found, len(mine)


def _overlaps(span: Span, starts: Sequence[Span], furthest: Sequence[int]) -> bool:
    """Whether one of the spans, in order of start, reaches into this one."""
    before = bisect_left(starts, span[1], key=lambda one: one[0])
    return before > 0 and furthest[before - 1] > span[0]
