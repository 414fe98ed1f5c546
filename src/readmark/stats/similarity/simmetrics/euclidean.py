"""SimMetrics' Euclidean distance: against what it would be if each text were one word repeated."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, root, share


def euclidean(shared: Shared[N]) -> N:
    """1 - √Σ (a - b)² / √((Σ a)² + (Σ b)²)."""
    apart = shared.square_a + shared.square_b - 2 * shared.product
    a, b = shared.bag_a, shared.bag_b
    whole = a * a + b * b
    # 1 less the share that is left, so that nothing against nothing is 1.
    return 1 - root(1 - share(whole - apart, whole))
