"""The Dice coefficient of two sets."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, share


def dice(shared: Shared[N]) -> N:
    """2 |A ∩ B| / (|A| + |B|)."""
    return share(2 * shared.set_both, shared.set_a + shared.set_b)
