"""SimMetrics' cosine: over sets, whatever the counts."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, root, share


def cosine(shared: Shared[N]) -> N:
    """|A ∩ B| / √(|A| |B|)."""
    a, b = shared.set_a, shared.set_b
    return share(shared.set_both, root(a * b) + (a == 0) * b + (b == 0) * a)
