"""F1 of two annotators' words: whole words, and the boundaries between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.measures.agreement.f_measure import Shares, f_measure
from readmark.measures.agreement.span_f1 import Pair, Spans, exact_f1
from readmark.measures.agreement.sums import Clusters
from readmark.measures.agreement.value import Agreement, Resampling


def word_f1(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Words with both ends equal, as the bakeoffs of Chinese word segmentation count."""
    made = exact_f1(pairs, clusters=clusters, resampling=resampling)
    return replace(made, measure="words")


def boundary_f1(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """Ends of words that both set. The last end of a text is no choice and is not counted."""
    return f_measure(
        "boundaries",
        [_boundaries(*one) for one in pairs],
        reason="neither set a boundary within a text",
        clusters=clusters,
        resampling=resampling,
    )


def _boundaries(a: Spans, b: Spans) -> Shares:
    one, other = ({span[1] for span in spans} for spans in (a, b))
    last = max(one | other, default=0)
    one.discard(last)
    other.discard(last)
    shared = len(one & other)
    return shared, len(one), shared, len(other)
