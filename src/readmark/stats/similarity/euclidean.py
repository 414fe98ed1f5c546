"""Euclidean distance of two vectors of counts, as a similarity."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, root, share


def euclidean(shared: Shared[N]) -> N:
    """1 - √Σ (a - b)² / √(Σ a² + Σ b²): the greatest distance is that of nothing shared."""
    whole = shared.square_a + shared.square_b
    # 1 - share of the squares that is left, so that nothing against nothing is 1.
    return 1 - root(1 - share(2 * shared.product, whole))
