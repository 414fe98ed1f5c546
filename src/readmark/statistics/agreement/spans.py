"""F1 of two annotators' spans: equal ones, overlapping ones, characters, words and boundaries.

Counts are added up over texts before the F1 is taken. A span is (start, end) or with a label
after them; spans of other labels do not match.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from readmark.statistics.agreement.f_measure import Shares, f_measure
from readmark.statistics.agreement.sums import Clusters
from readmark.statistics.agreement.value import Agreement, Resampling

ComparedSpan = tuple[int, int] | tuple[int, int, object]
Spans = Sequence[ComparedSpan]
SpansPair = tuple[Spans, Spans]
"""The two annotators' spans over one text."""

NOTHING = "neither marked any span"


def exact_f1(
    pairs: Sequence[SpansPair],
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
        [_exact(*pair) for pair in pairs],
        reason=NOTHING,
        clusters=clusters,
        resampling=resampling,
    )


def overlap_f1(
    pairs: Sequence[SpansPair],
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
    pairs: Sequence[SpansPair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Characters that both marked; one that two spans of one annotator cover counts once."""
    return f_measure(
        "characters",
        [_characters(*pair) for pair in pairs],
        reason=NOTHING,
        clusters=clusters,
        resampling=resampling,
    )


def _exact(a: Spans, b: Spans) -> Shares:
    shared = (Counter(a) & Counter(b)).total()
    return shared, len(a), shared, len(b)


def _characters(a: Spans, b: Spans) -> Shares:
    covered_a, covered_b = _covered(a), _covered(b)
    shared = len(covered_a & covered_b)
    return shared, len(covered_a), shared, len(covered_b)


def _covered(spans: Spans) -> set[tuple[int, object]]:
    return {(index, span[2:]) for span in spans for index in range(span[0], span[1])}


def _overlapped(mine: Spans, theirs: Spans) -> tuple[int, int]:
    """How many of my spans overlap one of theirs with the same label, of how many."""
    by_label: dict[object, list[ComparedSpan]] = {}
    for span in theirs:
        if span[0] < span[1]:  # an empty span has no character to share
            by_label.setdefault(span[2:], []).append(span)
    furthest: dict[object, list[int]] = {}
    for label, spans in by_label.items():
        spans.sort(key=lambda span: span[0])
        ends: list[int] = []
        for span in spans:
            ends.append(max(span[1], ends[-1] if ends else span[1]))
        furthest[label] = ends
    shared = sum(
        _overlaps(span, by_label.get(span[2:], []), furthest.get(span[2:], [])) for span in mine
    )
    return shared, len(mine)


def _overlaps(span: ComparedSpan, starts: Sequence[ComparedSpan], furthest: Sequence[int]) -> bool:
    """Whether one of the spans, in order of start, reaches into this one."""
    before = bisect_left(starts, span[1], key=lambda start: start[0])
    return span[0] < span[1] and before > 0 and furthest[before - 1] > span[0]


def word_f1(
    pairs: Sequence[SpansPair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Words with both ends equal, as the bakeoffs of Chinese word segmentation count."""
    agreement = exact_f1(pairs, clusters=clusters, resampling=resampling)
    return replace(agreement, measure="words")


def boundary_f1(
    pairs: Sequence[SpansPair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Ends of words that both set. The last end of a text is no choice and is not counted."""
    return f_measure(
        "boundaries",
        [_boundaries(*pair) for pair in pairs],
        reason="neither set a boundary within a text",
        clusters=clusters,
        resampling=resampling,
    )


def _boundaries(a: Spans, b: Spans) -> Shares:
    ends_a, ends_b = ({span[1] for span in spans} for spans in (a, b))
    last = max(ends_a | ends_b, default=0)
    ends_a.discard(last)
    ends_b.discard(last)
    shared = len(ends_a & ends_b)
    return shared, len(ends_a), shared, len(ends_b)
