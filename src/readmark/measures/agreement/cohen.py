"""Cohen's kappa, plain and weighted: agreement of two annotators beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from readmark.measures.agreement.sums import Clusters, Entry, Sums
from readmark.measures.agreement.value import (
    Agreement,
    Label,
    Resampling,
    beyond_chance,
    in_domain_order,
    only_label,
    undefined,
)
from readmark.measures.resampling import Floats

Weights = Literal["linear", "quadratic"]


def cohen_kappa(
    a: Sequence[Label | None],
    b: Sequence[Label | None],
    *,
    weights: Weights | None = None,
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """1 − observed / expected disagreement ("A coefficient of agreement for nominal scales").

    Weights count how far two labels stand apart in the ``order`` (by size without one): "Weighted
    kappa". Units that only one labelled are left out. Undefined when chance cannot disagree.
    """
    name = "kappa" if weights is None else f"kappa({weights})"
    both = [at for at, pair in enumerate(zip(a, b, strict=True)) if None not in pair]
    if not both:
        return undefined(name, "no unit has labels of both annotators")
    pairs = [(a[at], b[at]) for at in both]
    domain = in_domain_order([label for pair in pairs for label in pair], order)
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(both))
    place = {label: at for at, label in enumerate(domain)}
    size = len(domain)
    entries: list[Entry] = []
    for at, (one, other) in enumerate(pairs):
        row, column = place[one], place[other]
        apart = _apart(row, column, weights)
        entries += [(at, row, 1), (at, size + column, 1), (at, 2 * size, apart)]

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        first, second = sums[..., :size], sums[..., size : 2 * size]
        n = first.sum(axis=-1)
        return sums[..., 2 * size] / n, _expected(first, second, n, weights)

    groups = [clusters[at] for at in both] if clusters is not None else None
    sums = Sums.of_entries(entries, groups, 2 * size + 1)
    return beyond_chance(name, sums, parts, n=len(both), resampling=resampling)


def _apart(row: int, column: int, weights: Weights | None) -> int:
    """How far two labels disagree: at all, by places in their order, or by places squared."""
    steps = abs(row - column)
    if weights is None:
        return min(steps, 1)
    return steps if weights == "linear" else steps * steps


def _expected(first: Floats, second: Floats, n: Floats, weights: Weights | None) -> Floats:
    """The mean of what is apart over every pair of one annotator's label and the other's.

    Without going through the pairs: there are as many as labels squared.
    """
    if weights is None:
        return np.asarray(1 - (first * second).sum(axis=-1) / (n * n))
    if weights == "linear":
        # Each step between neighbours is gone by every pair with one label on either side of it.
        before, also = first.cumsum(axis=-1), second.cumsum(axis=-1)
        crossing = before * (n[..., None] - also) + also * (n[..., None] - before)
        return np.asarray(crossing.sum(axis=-1) / (n * n))
    places = np.arange(first.shape[-1], dtype=np.float64)
    mean, other = (side @ places / n for side in (first, second))
    spread = sum(
        (side * (places - middle[..., None]) ** 2).sum(axis=-1)
        for side, middle in ((first, mean), (second, other))
    )
    return np.asarray(spread / n + (mean - other) ** 2)
