"""SimMetrics' Euclidean distance: against the root of the number of words."""

from __future__ import annotations

import numpy as np

from readmark.measures.similarity.shared import N, Shared, root, share


def euclidean(shared: Shared[N]) -> N:
    """1 - √Σ (a - b)² / √(Σ a + Σ b), and 0 where repeated words would make it negative."""
    apart = shared.square_a + shared.square_b - 2 * shared.product
    whole = shared.bag_a + shared.bag_b
    found = 1 - root(1 - share(whole - apart, whole))
    return np.maximum(found, 0.0) if isinstance(found, np.ndarray) else max(found, 0.0)
