"""Cohen's kappa, plain and weighted: agreement of two annotators beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.agreement.label_cells import Label, in_domain_order, only_label
from readmark.statistics.agreement.sums import Clusters, Sums
from readmark.statistics.agreement.value import Agreement, Resampling, beyond_chance, undefined

KappaWeights = Literal["linear", "quadratic"]


def cohen_kappa(
    a: Sequence[Label | None],
    b: Sequence[Label | None],
    *,
    weights: KappaWeights | None = None,
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """1 − observed / expected disagreement ("A coefficient of agreement for nominal scales").

    Weights count how far two labels are apart in the ``order``, labels that nobody used included,
    or by size among the labels that occur: "Weighted kappa". Units that only one labelled are left
    out. Undefined when chance cannot disagree.
    """
    name = "kappa" if weights is None else f"kappa({weights})"
    labelled = [index for index, pair in enumerate(zip(a, b, strict=True)) if None not in pair]
    if not labelled:
        return undefined(name, "no unit has labels of both annotators")
    pairs = [(a[index], b[index]) for index in labelled]
    domain = in_domain_order([label for pair in pairs for label in pair], order)
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(labelled))
    if weights is not None and order is not None:
        domain = list(order)  # a step that nobody used still lies between its neighbours
    place = {label: index for index, label in enumerate(domain)}
    size = len(domain)
    n = len(pairs)
    first, second = (
        np.fromiter((place[label] for label in side), dtype=np.intp, count=n)
        for side in zip(*pairs, strict=True)
    )
    columns = np.concatenate([first, size + second, np.full(n, 2 * size)])
    amounts = np.concatenate([np.ones(2 * n), _distances(first, second, weights)])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        counts_a, counts_b = sums[..., :size], sums[..., size : 2 * size]
        total = counts_a.sum(axis=-1)
        return sums[..., 2 * size] / total, _expected(counts_a, counts_b, total, weights)

    groups = [clusters[index] for index in labelled] if clusters is not None else None
    sums = Sums.of_cells(np.tile(np.arange(n), 3), columns, amounts, groups, 2 * size + 1)
    return beyond_chance(name, sums, parts, n=n, resampling=resampling)


def _distances(
    first: NDArray[np.intp], second: NDArray[np.intp], weights: KappaWeights | None
) -> NDArray[np.intp]:
    """How far two labels are apart: at all, by places in their order, or by places squared."""
    steps: NDArray[np.intp] = np.abs(first - second)
    if weights is None:
        steps = np.minimum(steps, 1)
    elif weights == "quadratic":
        steps = steps * steps
    return steps


def _expected(first: Floats, second: Floats, n: Floats, weights: KappaWeights | None) -> Floats:
    """The mean of what is apart over every pair of one annotator's label and the other's.

    Without going through the pairs: there are as many as labels squared.
    """
    if weights is None:
        return np.asarray(1 - (first * second).sum(axis=-1) / (n * n))
    if weights == "linear":
        # Each step between neighbours is gone by every pair with one label on either side of it.
        below_a, below_b = first.cumsum(axis=-1), second.cumsum(axis=-1)
        crossing = below_a * (n[..., None] - below_b) + below_b * (n[..., None] - below_a)
        return np.asarray(crossing.sum(axis=-1) / (n * n))
    places = np.arange(first.shape[-1], dtype=np.float64)
    mean_a, mean_b = (side @ places / n for side in (first, second))
    spread = sum(
        (side * (places - middle[..., None]) ** 2).sum(axis=-1)
        for side, middle in ((first, mean_a), (second, mean_b))
    )
    return np.asarray(spread / n + (mean_a - mean_b) ** 2)
