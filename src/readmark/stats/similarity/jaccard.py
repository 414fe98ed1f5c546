"""The Jaccard coefficient of two sets."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, share


def jaccard(shared: Shared[N]) -> N:
    """|A ∩ B| / |A ∪ B|."""
    both = shared.set_both
    return share(both, shared.set_a + shared.set_b - both)
