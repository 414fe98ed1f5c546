"""The cosine of the angle between two vectors of counts."""

from __future__ import annotations

from readmark.stats.similarity.shared import N, Shared, root, share


def cosine(shared: Shared[N]) -> N:
    """Σ a b / √(Σ a² Σ b²), over counts; a text without n-grams is unlike every other."""
    # Where one side is empty and the other is not, nothing is shared: 0 over the other's length.
    a, b = shared.square_a, shared.square_b
    return share(shared.product, root(a * b) + (a == 0) * b + (b == 0) * a)
