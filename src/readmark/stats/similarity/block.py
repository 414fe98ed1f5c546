"""City-block (L1) distance of two vectors of counts, as a similarity."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, share


def block(shared: Shared[N]) -> N:
    """1 - Σ |a - b| / (Σ a + Σ b), which is the share of both bags that pairs off."""
    return share(2 * shared.bag_both, shared.bag_a + shared.bag_b)
